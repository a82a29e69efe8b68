package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// The build cache of Go has, in 256 directories, what an action's inputs came to
// ("<action>-a", a line that names the output) and the outputs by the digest of
// their contents ("<output>-d"). One that is a program of the toolchain lies in a
// folder of that name, under its own.
var (
	goEntryName = pattern.New(`^[0-9a-f]{2}/[0-9a-f]{64}-([ad]|d/[a-z0-9]+)$`)
	goEntryLine = pattern.New(`^v1 ([0-9a-f]{64}) [0-9a-f]{64} +[0-9]+ +[0-9]+\n$`)
)

func goEntry(rel string) bool { return strings.HasSuffix(rel, "/") || goEntryName.MatchString(rel) }

// goAction tells the lines that lead to outputs: go writes some of them again on
// every call.
func goAction(rel string) bool { return strings.HasSuffix(rel, "-a") }

// soundGoEntry holds an entry to its name.
func soundGoEntry(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	id, isOutput := strings.CutSuffix(filepath.Base(name), "-d")
	if !isOutput {
		id, isOutput = strings.CutSuffix(filepath.Base(filepath.Dir(name)), "-d")
	}
	if !isOutput {
		id = filepath.Base(name)
		line, err := io.ReadAll(io.LimitReader(f, 256))
		match := goEntryLine.FindSubmatch(line)
		return err == nil && match != nil && string(match[1])+"-a" == id
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == id
}

// goModule tells the directory of one version of a module, "path@version".
func goModule(rel string) bool {
	return strings.Contains(path.Base(rel), "@") && !strings.HasPrefix(rel, "cache/")
}

// goDownload takes of a module cache the modules and what was downloaded, but no
// locks, no lists of versions, which grow, and no clones of repositories.
func goDownload(rel string) bool {
	switch {
	case strings.HasPrefix(rel, "cache/vcs/"), rel == "cache/lock":
		return false
	case strings.HasSuffix(rel, "/"):
		return true
	}
	base := path.Base(rel)
	return strings.Contains(rel, "/@v/") && base != "list" && !strings.HasSuffix(base, ".lock") && !strings.HasSuffix(base, ".partial") && !strings.Contains(base, ".tmp")
}
