// Package output is the output directory: where a run leaves reports, sessions
// and what later runs learn from, and where it finds what earlier ones left.
//
// The directory lies in a checkout, and whoever wrote the change fills that. So
// everything goes through one [os.Root] that is opened step by step from the
// checkout on, no step being a link; and what is found there is read only if
// nobody but us can have written it, see [Dir.Ours].
package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/org/qa-action/internal/rooted"
)

// Spec says where an output directory is and how its trust is found out.
type Spec struct {
	Checkout string // absolute
	Name     string // of the directory, relative to the checkout, slash-separated
	// Tracked lists what git tracks in the directory, or above it in place of
	// it, relative to the checkout. It is asked once, when there is something
	// to read.
	Tracked func(name string) ([]string, error)
	// Tests is the id of the user as whom tests run; -1 where that is ourselves.
	Tests int
}

// Dir is one output directory. Its methods may be used side by side.
type Dir struct {
	spec  Spec
	path  string   // absolute
	steps []string // from the checkout on; none where outside
	// outside marks a directory that whoever runs us chose, not a checkout.
	outside bool
	tracked func() ([]string, error)

	mu      sync.Mutex
	root    *os.Root // once it was made or found
	refused []error
}

// PlaceError says that a directory can be no output directory.
type PlaceError struct{ Name, Why, next string }

func (e *PlaceError) Error() string {
	return fmt.Sprintf("directory %s: %s; %s", e.Name, e.Why, e.next)
}

// NextStep is what to do about it.
func (e *PlaceError) NextStep() string { return e.next }

// Open looks at the way to an output directory and makes nothing. The error is
// a [PlaceError] when a link lies on it.
func Open(s Spec) (*Dir, error) {
	name := path.Clean(s.Name)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, &PlaceError{s.Name, "the path leaves the repository", "name a directory relative to its root"}
	}
	d := &Dir{spec: s, path: filepath.Join(s.Checkout, filepath.FromSlash(name))}
	if name != "." {
		d.steps = strings.Split(name, "/")
	}
	d.tracked = sync.OnceValues(func() ([]string, error) {
		if s.Tracked == nil {
			return nil, nil
		}
		return s.Tracked(name)
	})
	root, err := os.OpenRoot(s.Checkout)
	if err != nil {
		return nil, fmt.Errorf("open checkout: %w", err)
	}
	defer func() { _ = root.Close() }() // only looked at
	for n := range d.steps {
		at := path.Join(d.steps[:n+1]...)
		info, err := root.Lstat(filepath.FromSlash(at))
		if err != nil || !info.IsDir() && info.Mode()&fs.ModeSymlink == 0 {
			break // what is missing is made, and what is in the way is told then
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, &PlaceError{name, at + " is a symbolic link", "name the directory it points to, or remove it"}
		}
	}
	return d, nil
}

// At is a directory that whoever runs us named, outside of any checkout: no link
// on the way and nothing in it is held against it.
func At(path string) *Dir {
	return &Dir{path: path, outside: true, spec: Spec{Tests: -1}}
}

// Path is the directory's absolute path; a nil Dir, of a part of the program that
// leaves nothing, has none.
func (d *Dir) Path() string {
	if d == nil {
		return ""
	}
	return d.path
}

// Name is how the directory is called to people.
func (d *Dir) Name() string {
	if d.outside {
		return d.path
	}
	return path.Join(append([]string{"."}, d.steps...)...)
}

// Root is the directory, which is made when it is missing. It stays open: what
// becomes of the path later changes nothing. The caller does not close it.
func (d *Dir) Root() (*os.Root, error) { return d.open(true) }

// Existing is the directory where there is one, else [fs.ErrNotExist].
func (d *Dir) Existing() (*os.Root, error) { return d.open(false) }

func (d *Dir) open(create bool) (*os.Root, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root != nil {
		return d.root, nil
	}
	root, err := d.reach(create)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && !create {
			return nil, err
		}
		if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("make output directory: %w; the checkout cannot be written: choose a directory in it that can with --output-dir (one mounted there will do), or copy it (cp -R . ../copy && cd ../copy) and run qa there", err)
		}
		return nil, fmt.Errorf("make output directory (choose a writable one with --output-dir): %w", err)
	}
	d.root = root
	return root, nil
}

func (d *Dir) reach(create bool) (*os.Root, error) {
	if d.outside {
		if !filepath.IsAbs(d.path) {
			return nil, fmt.Errorf("%q is not absolute", d.path)
		}
		if create {
			if err := os.MkdirAll(d.path, 0o755); err != nil {
				return nil, err
			}
		}
		return os.OpenRoot(d.path)
	}
	at, err := os.OpenRoot(d.spec.Checkout)
	if err != nil {
		return nil, err
	}
	for n, step := range d.steps {
		inner, err := enter(at, step, create)
		err = errors.Join(err, at.Close())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(d.steps[:n+1]...), err)
		}
		at = inner
	}
	return at, nil
}

func enter(at *os.Root, step string, create bool) (*os.Root, error) {
	if create {
		if err := at.Mkdir(step, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	inner, _, err := rooted.Enter(at, step)
	return inner, err
}

// Part is a directory in this one, of which nothing is read that is not ours.
// The error is a [RefusedError], which is also kept for [Dir.Refused].
func (d *Dir) Part(name string) (*Dir, error) {
	if err := d.Ours(name); err != nil {
		return nil, err
	}
	if d.outside {
		return At(filepath.Join(d.path, name)), nil
	}
	s := d.spec
	s.Name = path.Join(append([]string{s.Name}, name)...)
	return Open(s)
}

// Read reads a file of at most limit bytes. Like all that is remembered it must
// be a file of one name that nobody but us can write.
func (d *Dir) Read(name string, limit int64) ([]byte, error) {
	root, err := d.Existing()
	if err != nil {
		return nil, err
	}
	if info, err := root.Lstat(name); err != nil {
		return nil, err
	} else if why := d.suspect(info); why != "" {
		return nil, fmt.Errorf("%s %s", path.Join(d.Name(), name), why)
	}
	f, info, err := rooted.Open(root, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	if why := d.suspect(info); why != "" {
		return nil, fmt.Errorf("%s %s", path.Join(d.Name(), name), why)
	}
	return rooted.All(f, info, name, limit)
}

// Write replaces a file.
func (d *Dir) Write(name string, data []byte) error {
	root, err := d.Root()
	if err != nil {
		return err
	}
	return rooted.Replace(root, name, data)
}

// Refused is what was asked for and is not ours, each once.
func (d *Dir) Refused() []error {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]error(nil), d.refused...)
}

// Close closes what is open; a later use opens it again.
func (d *Dir) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root == nil {
		return nil
	}
	root := d.root
	d.root = nil
	return root.Close()
}
