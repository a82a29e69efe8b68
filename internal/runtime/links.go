package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/user"
)

// maxRewrite bounds the size of a file in which paths are rewritten.
const maxRewrite = 4 << 20

// rewriteInstalls points everything in tree that names the directory from by
// its absolute path at the directory to: editable installs of Python (path
// files, import finders, scripts of virtual environments), go.work and replace
// lines of Go. Without it a test in the copy would import the original, and a
// change made in the copy would never be seen.
func rewriteInstalls(tree, from, to string) error {
	return filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir // links there are links, copied as such
		}
		if d.Type().IsRegular() && namesPaths(path) {
			return rewriteFile(path, from, to)
		}
		return nil
	})
}

// namesPaths reports whether a file is one in which an installer writes the
// absolute path of the project.
func namesPaths(path string) bool {
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

// rewriteFile replaces the path from, where it is not the beginning of a longer
// name, by to. The file is replaced, not written to: it may be a hard link.
func rewriteFile(path, from, to string) (err error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	name := filepath.Base(path)
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRewrite {
		return err
	}
	data, err := rooted.Read(root, name, maxRewrite)
	if err != nil {
		return err
	}
	changed := replacePath(data, from, to)
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

func replacePath(data []byte, from, to string) []byte {
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
