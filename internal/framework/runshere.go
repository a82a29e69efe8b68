package framework

import (
	"bufio"
	"bytes"
	"go/build"
	"go/build/constraint"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/shell"
)

// The systems and processors that a Go file's name or build line may ask for.
var (
	goSystems    = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos")
	goProcessors = strings.Fields("386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")
	goUnix       = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris")
)

// RunsHere reports whether go test would compile a Go file on this machine. If
// not, why begins with "other platform" or, where a tag given to go test would
// include it, with "custom tag". Every other file runs, as far as its name
// tells.
func RunsHere(file string, src []byte) (ok bool, why string) {
	if path.Ext(file) != ".go" {
		return true, ""
	}
	base := path.Base(file)
	if strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") {
		return false, "custom tag: none, go leaves out files whose name begins with " + base[:1]
	}
	if word := platformOf(base); word != "" {
		return false, "other platform: " + word
	}
	expr := buildLine(src)
	if expr == nil {
		return true, ""
	}
	if expr.Eval(goTag) {
		return true, ""
	}
	if expr.Eval(func(tag string) bool { return goTag(tag) || !platformTag(tag) }) || expr.Eval(func(tag string) bool { return platformTag(tag) && goTag(tag) }) {
		return false, "custom tag: " + shell.Cut(expr.String(), shell.MaxShown)
	}
	return false, "other platform: " + shell.Cut(expr.String(), shell.MaxShown)
}

// platformOf gives the part of a file's name that asks for another platform.
func platformOf(base string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test")
	parts := strings.Split(name, "_")
	if len(parts) < 2 { // linux.go is for all
		return ""
	}
	last, before := parts[len(parts)-1], ""
	if len(parts) > 2 {
		before = parts[len(parts)-2]
	}
	switch {
	case slices.Contains(goProcessors, last) && slices.Contains(goSystems, before):
		if !goTag(before) || !goTag(last) {
			return before + "/" + last
		}
	case slices.Contains(goSystems, last) || slices.Contains(goProcessors, last):
		if !goTag(last) {
			return last
		}
	}
	return ""
}

// buildLine is the //go:build line, which stands before the package clause.
func buildLine(src []byte) constraint.Expr {
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, folder.MaxConfig)
	block := false
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case block:
			block = !strings.Contains(line, "*/")
		case constraint.IsGoBuild(line):
			expr, err := constraint.Parse(line)
			if err != nil {
				return nil
			}
			return expr
		case strings.HasPrefix(line, "/*"):
			block = !strings.Contains(line, "*/")
		case line != "" && !strings.HasPrefix(line, "//"):
			return nil
		}
	}
	return nil
}

func platformTag(tag string) bool {
	return slices.Contains(goSystems, tag) || slices.Contains(goProcessors, tag) || tag == "unix" || tag == "gc" || tag == "gccgo" || strings.HasPrefix(tag, "go1.")
}

// goTag reports whether a tag is set for a plain go test here.
func goTag(tag string) bool {
	c := build.Default
	switch {
	case tag == c.GOOS, tag == c.GOARCH, tag == "gc", tag == "cgo" && c.CgoEnabled:
		return true
	case tag == "unix":
		return slices.Contains(goUnix, c.GOOS)
	case tag == "linux":
		return c.GOOS == "android"
	}
	return slices.Contains(c.ReleaseTags, tag)
}
