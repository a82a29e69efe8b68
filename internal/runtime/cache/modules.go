package cache

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/org/qa-action/internal/rooted"
)

// goModules is the folder of Go's module cache, in which what was downloaded lies
// below "cache/download".
const goModules = "go-mod"

// maxModule bounds one module, in bytes; the go command has the same bound.
const maxModule = 500 << 20

// TakeModules takes over into the lower layer what lies in the machine's module cache
// and is what sums, the text of files go.sum, say it is. Anybody may have written to that
// cache: each download is copied first and the copy is held against its sum, so sums
// must not be the change's own. It returns the number of modules.
func (l Layers) TakeModules(ctx context.Context, machine string, sums []byte) (taken int, err error) {
	root, err := os.OpenRoot(machine)
	if err != nil {
		return 0, nil //nolint:nilerr // there is no such cache
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	lines := bufio.NewScanner(bytes.NewReader(sums))
	for lines.Scan() && ctx.Err() == nil {
		d, ok := downloadOf(lines.Text())
		if !ok {
			continue
		}
		took, err := l.takeModule(root, d)
		if err != nil {
			return taken, fmt.Errorf("take over %s: %w", d.file, err)
		}
		if took && path.Ext(d.file) == ".zip" {
			taken++
		}
	}
	return taken, ctx.Err()
}

// download is a file of a module cache and its sum.
type download struct{ file, sum string }

// downloadOf reads a line of go.sum: "path version h1:sum", or with "version/go.mod".
func downloadOf(line string) (download, bool) {
	fields := strings.Fields(line)
	if len(fields) != 3 || !strings.HasPrefix(fields[2], "h1:") {
		return download{}, false
	}
	version, isMod := strings.CutSuffix(fields[1], "/go.mod")
	name, err := module.EscapePath(fields[0])
	if err != nil {
		return download{}, false
	}
	if version, err = module.EscapeVersion(version); err != nil {
		return download{}, false
	}
	end := ".zip"
	if isMod {
		end = ".mod"
	}
	return download{file: path.Join("cache/download", name, "@v", version+end), sum: fields[2]}, true
}

// takeModule takes one download that is not there yet. One that is not what it should
// be is left where it is.
func (l Layers) takeModule(machine *os.Root, d download) (bool, error) {
	goal := filepath.Join(l.Lower, goModules, filepath.FromSlash(d.file))
	if _, err := os.Lstat(goal); err == nil {
		return false, nil
	}
	f, info, err := rooted.Open(machine, d.file)
	if err != nil || info.Size() > maxModule {
		return false, nil //nolint:nilerr // go fetches it
	}
	defer func() { _ = f.Close() }()
	if err := os.MkdirAll(filepath.Dir(goal), 0o755); err != nil {
		return false, err
	}
	temp := goal + ".qa-" + rand.Text()[:8] // of this run: another may do the same
	defer func() { _ = os.Remove(temp) }()
	out, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, err
	}
	_, err = io.Copy(out, io.LimitReader(f, maxModule))
	if err := errors.Join(err, out.Close()); err != nil {
		return false, err
	}
	if sum, err := sumOf(temp, path.Ext(d.file)); err != nil || sum != d.sum {
		return false, nil //nolint:nilerr // not what it should be
	}
	if name, ok := strings.CutSuffix(goal, ".zip"); ok { // by which go knows what it has extracted
		noted := temp + ".ziphash"
		if err := errors.Join(os.WriteFile(noted, []byte(d.sum), 0o444), os.Rename(noted, name+".ziphash")); err != nil {
			return false, err
		}
	}
	return true, errors.Join(os.Chmod(temp, 0o444), os.Rename(temp, goal))
}

// sumOf is the sum that go.sum has of a download. A file of an archive is read as far
// as the archive says it goes, and all together no further than go would extract.
func sumOf(name, kind string) (string, error) {
	if kind == ".mod" {
		return dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return os.Open(name) })
	}
	archive, err := zip.OpenReader(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = archive.Close() }()
	files, left := map[string]*zip.File{}, uint64(maxModule)
	var names []string
	for _, f := range archive.File {
		if f.UncompressedSize64 > left {
			return "", fmt.Errorf("%s is larger than %d bytes", filepath.Base(name), maxModule)
		}
		left -= f.UncompressedSize64
		if files[f.Name] != nil {
			return "", fmt.Errorf("%s has %q twice", filepath.Base(name), f.Name)
		}
		files[f.Name], names = f, append(names, f.Name)
	}
	slices.Sort(names)
	return dirhash.Hash1(names, func(name string) (io.ReadCloser, error) {
		f := files[name]
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(r, int64(min(f.UncompressedSize64, maxModule))), r}, nil
	})
}
