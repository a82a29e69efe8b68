package repository

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/runtime/cache"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/runtime/walk"
)

// CopyDir makes a git directory at target that has the state of the one at
// path, which may be a file naming it (work trees, submodules). Objects are
// borrowed from the original by the alternates mechanism; head, index,
// references and the shallow list are copied. Left out are hooks, logs and
// every configuration but an allow-list: credentials (extra headers, includes,
// addresses with a password) and programs (filters, helpers, monitors) live
// there.
func CopyDir(path, target string, u *user.User) error {
	gitDir, commonDir, err := gitDirs(path)
	if err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(target, "objects", "info"), 0o755), os.MkdirAll(filepath.Join(target, "refs"), 0o755)); err != nil {
		return err
	}
	var borrowed string
	var linked []string
	for _, objects := range objectDirs(commonDir) {
		if user.Reachable(objects, u) {
			borrowed += objects + "\n"
		} else {
			linked = append(linked, objects)
		}
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(target, "objects", "info", "alternates"), []byte(borrowed), 0o644),
		os.WriteFile(filepath.Join(target, "config"), []byte(gitConfig(filepath.Join(commonDir, "config"))), 0o644)); err != nil {
		return err
	}
	for _, f := range []struct{ dir, name string }{
		{gitDir, "HEAD"}, {gitDir, "index"}, {gitDir, "FETCH_HEAD"}, {gitDir, "ORIG_HEAD"},
		{commonDir, "packed-refs"}, {commonDir, "shallow"}, {commonDir, "info/exclude"}, {commonDir, "info/sparse-checkout"},
	} {
		if err := copyIfThere(filepath.Join(f.dir, f.name), filepath.Join(target, f.name)); err != nil {
			return err
		}
	}
	if err := copyFlat(filepath.Join(commonDir, "refs"), filepath.Join(target, "refs")); err != nil {
		return err
	}
	if err := user.OwnAll(target, u); err != nil {
		return err
	}
	// After the change of owner: a hard link shares its owner.
	for _, objects := range linked {
		if err := linkObjects(objects, filepath.Join(target, "objects"), u); err != nil {
			return err
		}
	}
	return nil
}

// objectDirs lists where a repository's objects are.
func objectDirs(commonDir string) []string {
	objects := filepath.Join(commonDir, "objects")
	dirs := []string{objects}
	more, err := os.ReadFile(filepath.Join(objects, "info", "alternates"))
	if err != nil {
		return dirs
	}
	for line := range strings.Lines(string(more)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(objects, line)
		}
		dirs = append(dirs, line)
	}
	return dirs
}

// linkObjects is for objects that lie where the code cannot go. Objects are
// never changed and stay their owner's, so hard links are as good as copies.
func linkObjects(from, to string, u *user.User) error {
	return walk.Below(from, func(rel string, d fs.DirEntry) error {
		path, goal := filepath.Join(from, rel), filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return errors.Join(os.MkdirAll(goal, 0o755), u.Own(goal))
		case rel == filepath.Join("info", "alternates") || !d.Type().IsRegular():
			return nil
		}
		// Another store has it, as a link: what is written there would be written to that.
		if _, err := os.Lstat(goal); err == nil {
			return nil
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm()&0o004 != 0 && os.Link(path, goal) == nil {
			return err
		}
		return copyIfThere(path, goal)
	})
}

// gitDirs resolves .git, a directory or a file with a gitdir line, to the
// directory of the work tree and the one shared by all work trees.
func gitDirs(path string) (gitDir, commonDir string, err error) {
	gitDir = path
	if info, err := os.Stat(path); err != nil {
		return "", "", err
	} else if !info.IsDir() {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", "", err
		}
		dir, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
		if !ok {
			return "", "", fmt.Errorf("%s: no gitdir line", path)
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(path), dir)
		}
		gitDir = dir
	}
	commonDir = gitDir
	if data, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		commonDir = strings.TrimSpace(string(data))
		if !filepath.IsAbs(commonDir) {
			commonDir = filepath.Join(gitDir, commonDir)
		}
	}
	return gitDir, commonDir, nil
}

// gitKeys are the configuration keys that tests may depend on and that hold
// neither a secret nor a program, as "section.key" in lower case; the middle
// part of "remote.origin.url" does not count.
var gitKeys = map[string]bool{
	"core.repositoryformatversion": true, "core.filemode": true, "core.bare": true, "core.autocrlf": true,
	"core.eol": true, "core.ignorecase": true, "core.symlinks": true, "core.precomposeunicode": true,
	"core.sparsecheckout": true, "core.sparsecheckoutcone": true, "core.logallrefupdates": true,
	"extensions.objectformat": true, "extensions.refstorage": true, "extensions.compatobjectformat": true,
	"remote.url": true, "remote.fetch": true, "branch.remote": true, "branch.merge": true,
	"user.name": true, "user.email": true, "init.defaultbranch": true,
}

// gitConfig gives the allow-listed part of a configuration file.
func gitConfig(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return "[core]\n\trepositoryformatversion = 0\n"
	}
	defer func() { _ = f.Close() }()
	var out strings.Builder
	var header, section string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			header = line
			section, _, _ = strings.Cut(strings.ToLower(strings.Trim(line, "[]")), " ")
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		name := section + "." + strings.ToLower(strings.TrimSpace(key))
		if !gitKeys[name] || strings.HasSuffix(line, `\`) {
			continue
		}
		if header != "" {
			out.WriteString(header + "\n")
			header = ""
		}
		value = strings.TrimSpace(value)
		if name == "remote.url" {
			value = environ.WithoutPassword(value)
		}
		fmt.Fprintf(&out, "\t%s = %s\n", strings.TrimSpace(key), value)
	}
	return out.String()
}

func copyIfThere(from, to string) error {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	switch err := cache.CopyFile(from, to); {
	case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		return nil
	case err != nil:
		return err
	}
	return os.Chmod(to, 0o644) // it may be for nobody else to read where it was
}

// copyFlat copies the regular files of a small tree. Git may work beside us.
func copyFlat(from, to string) error {
	return walk.Below(from, func(rel string, d fs.DirEntry) error {
		if !d.Type().IsRegular() {
			return nil
		}
		return copyIfThere(filepath.Join(from, rel), filepath.Join(to, rel))
	})
}
