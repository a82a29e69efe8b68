package clone

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/runtime/walk"
)

// MaxRewrite bounds the size of a file in which paths are rewritten.
const MaxRewrite = 4 << 20

// namesProject reports whether a file of a checkout may name it by its absolute path:
// editable installs of Python (path files, import finders, scripts of virtual
// environments), go.work and replace lines of Go. They are pointed at the copy: without
// that a test in it would import the original, and a change made in the copy would never
// be seen. In node_modules links are links, copied as such.
func namesProject(rel string) bool {
	return !slices.ContainsFunc(strings.Split(filepath.Dir(rel), string(filepath.Separator)), func(dir string) bool {
		return dir == "node_modules" || dir == ".git"
	})
}

// NamesPaths reports whether a file is one in which an installer writes the
// absolute path of the project.
func NamesPaths(path string) bool {
	name, dir := filepath.Base(path), filepath.Base(filepath.Dir(path))
	switch name {
	case "go.mod", "go.work", "pyvenv.cfg", "direct_url.json":
		return true
	}
	switch filepath.Ext(name) {
	case ".pth", ".egg-link":
		return true
	case ".py":
		return strings.HasPrefix(name, "__editable__")
	}
	if dir == "bin" || dir == "Scripts" { // of a virtual environment
		_, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(path)), "pyvenv.cfg"))
		return err == nil
	}
	return false
}

// Rewrite replaces the path from, where it is not the beginning of a longer
// name, by to. The file is replaced, not written to: it may be a hard link.
func Rewrite(path, from, to string) (err error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	name := filepath.Base(path)
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxRewrite {
		return err
	}
	data, err := rooted.Read(root, name, MaxRewrite)
	if err != nil {
		return err
	}
	changed := ReplacePath(data, from, to)
	if bytes.Equal(changed, data) {
		return nil
	}
	if err := replaceLike(root, name, changed, info); err != nil {
		return fmt.Errorf("rewrite %s: %w", name, err)
	}
	return nil
}

// replaceLike puts a file of the same owner and mode in the place of another.
func replaceLike(root *os.Root, name string, data []byte, like fs.FileInfo) error {
	temp := name + ".qa-new"
	f, err := rooted.Fresh(root, temp)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(like.Mode().Perm()), user.KeepOwner(f, like), f.Close()); err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return root.Rename(temp, name)
}

func ReplacePath(data []byte, from, to string) []byte {
	var out []byte
	for {
		i := bytes.Index(data, []byte(from))
		if i < 0 {
			return append(out, data...)
		}
		end := i + len(from)
		out = append(out, data[:i]...)
		if end < len(data) && isNameByte(data[end]) {
			out = append(out, from...)
		} else {
			out = append(out, to...)
		}
		data = data[end:]
	}
}

func isNameByte(b byte) bool {
	return b == '_' || b == '-' || b == '.' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// LinkTurned copies a link; one that leads into from by an absolute path leads into
// to by the way from where it is.
func LinkTurned(path, goal, from, to string) error {
	dest, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if turned := Turn(dest, from, to); filepath.IsAbs(dest) && turned != dest {
		return LinkRelative(turned, goal)
	}
	return os.Symlink(dest, goal)
}

// LinkRelative links by the way from one tree to the other, which is the same in
// another container that sees both by another name.
func LinkRelative(path, goal string) error {
	way, err := filepath.Rel(filepath.Dir(goal), path)
	if err != nil {
		return err
	}
	return os.Symlink(way, goal)
}

// PlainDir reports whether a path below top is a directory, and so is all that it
// leads through: nothing is a link.
func PlainDir(top, rel string) bool {
	for ; ; rel = filepath.Dir(rel) {
		if info, err := os.Lstat(filepath.Join(top, rel)); err != nil || !info.IsDir() {
			return false
		}
		if rel == "." {
			return true
		}
	}
}

// Turn leads a link's absolute path below from to the same place below to.
func Turn(dest, from, to string) string {
	if rel, ok := rooted.Within(from, dest); ok && filepath.IsAbs(dest) {
		return filepath.Join(to, rel)
	}
	return dest
}

// Repath leads what names the place where the installation was made to the new one,
// which commands know by the name given last.
func Repath(source, target, from, to, named string) error {
	return walk.Below(source, func(rel string, d fs.DirEntry) error {
		goal := filepath.Join(target, rel)
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			dest, err := os.Readlink(goal)
			if led := Turn(dest, from, to); err == nil && led != dest {
				err = errors.Join(os.Remove(goal), LinkRelative(led, goal))
			}
			return err
		case d.Type().IsRegular() && (NamesPaths(goal) || filepath.Base(filepath.Dir(goal)) == ".bin"):
			return Rewrite(goal, from, named)
		}
		return nil
	})
}
