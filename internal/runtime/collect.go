package runtime

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// MaxResult bounds one file that Collect takes out of a workspace.
const MaxResult = 1 << 30

// Collect copies a result file out of the workspace: path is absolute, below
// its tree or its results; to is absolute. Anything but a regular file, or one
// behind a link that leads out, is refused: the code could otherwise make us
// read for it what it must not.
func (w *Workspace) Collect(path, to string) error {
	f, err := w.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("collect %s: %w", filepath.Base(path), err)
	}
	out, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("collect %s: %w", filepath.Base(path), err)
	}
	local := w.Local(out)
	n, err := io.Copy(local, io.LimitReader(f, MaxResult+1))
	err = errors.Join(err, local.Close())
	if err == nil && n > MaxResult {
		err = fmt.Errorf("larger than %d bytes", MaxResult)
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("collect %s: %w", filepath.Base(path), err)
	}
	return nil
}

// Open opens a file of the workspace's tree or results for reading, under the
// rules of Collect. What it names of the tree is what commands call it; see Local.
func (w *Workspace) Open(path string) (*os.File, error) {
	for _, dir := range []string{w.place.results, w.place.tree} {
		rel, ok := within(dir, path)
		if !ok {
			continue
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("open result: %w", err)
		}
		defer func() { _ = root.Close() }()
		// A pipe would block the open for ever, so look first, and again after.
		info, err := root.Stat(rel)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s: not a regular file (%s)", rel, info.Mode().Type())
		}
		if err != nil {
			return nil, fmt.Errorf("open result: %w", err)
		}
		f, err := openQuietlyIn(root, rel, nonblock)
		if err != nil {
			return nil, fmt.Errorf("open result: %w", err)
		}
		if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s: %w", rel, fs.ErrInvalid)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open result: %w", err), f.Close())
		}
		return f, nil
	}
	return nil, fmt.Errorf("result %s lies neither in the workspace's results nor in its tree", path)
}
