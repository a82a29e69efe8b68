package tree

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Bounds of what is watched and noted. Past them it is said that something is missing.
const (
	maxWatched = 50_000 // directories
	maxNoted   = 100_000
	entries    = unix.IN_CREATE | unix.IN_MOVED_TO | unix.IN_MOVED_FROM | unix.IN_DELETE
)

// watch notes the names that appear in directories of the tree and go from there.
// Neither stamps nor times tell of a folder that was moved away and back, nor of a
// file that was there for a moment.
type watch struct {
	file *os.File
	conn syscall.RawConn
	tree string

	mu   sync.Mutex
	dirs map[int32]string
	stir Stir
}

// newWatch begins to watch directories of a tree while no command runs there; an error
// where the system does not let us.
func newWatch(tree string, dirs []string) (*watch, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, err
	}
	w := &watch{file: os.NewFile(uintptr(fd), "watch"), tree: tree, dirs: map[int32]string{}, stir: newStir()}
	if w.conn, err = w.file.SyscallConn(); err != nil {
		return w.giveUp(err)
	}
	if len(dirs) > maxWatched {
		return w.giveUp(fmt.Errorf("%d directories, more than %d", len(dirs), maxWatched))
	}
	for _, dir := range dirs {
		if err := w.add(fd, dir); err != nil && !errors.Is(err, unix.ENOENT) {
			return w.giveUp(err)
		}
	}
	go func() { _ = w.conn.Read(func(fd uintptr) bool { w.take(int(fd)); return false }) }() // ends when it is closed
	return w, nil
}

func (w *watch) giveUp(why error) (*watch, error) {
	_ = w.file.Close()
	return nil, fmt.Errorf("inotify: %w", why)
}

func (w *watch) add(fd int, dir string) error {
	id, err := unix.InotifyAddWatch(fd, filepath.Join(w.tree, dir), entries|unix.IN_ONLYDIR|unix.IN_DONT_FOLLOW)
	if err == nil {
		w.dirs[int32(id)] = filepath.ToSlash(dir) //nolint:gosec // the kernel's are of that size
	}
	return err
}

// take reads all that the kernel has noted.
func (w *watch) take(fd int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(fd, buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n <= 0 {
			return
		}
		for rest := buf[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			size := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(rest[12:]))
			if size > len(rest) {
				break
			}
			id, mask := int32(binary.NativeEndian.Uint32(rest)), binary.NativeEndian.Uint32(rest[4:]) //nolint:gosec // as the kernel wrote it
			w.note(fd, id, mask, strings.TrimRight(string(rest[unix.SizeofInotifyEvent:size]), "\x00"))
			rest = rest[size:]
		}
	}
}

func (w *watch) note(fd int, id int32, mask uint32, name string) {
	dir, known := w.dirs[id]
	switch {
	case mask&unix.IN_Q_OVERFLOW != 0 || len(w.stir.Made)+len(w.stir.Gone) > maxNoted:
		w.stir.Lost = true
		return
	case !known || name == "":
		return
	}
	name = path.Join(dir, name)
	if mask&(unix.IN_MOVED_FROM|unix.IN_DELETE) != 0 {
		w.stir.Gone[name] = true
		return
	}
	w.stir.Made[name] = true
	if mask&unix.IN_ISDIR != 0 && path.Base(name) == byteCode {
		w.follow(fd, name)
	}
}

// follow watches a new directory of byte code, and notes what is in it already.
func (w *watch) follow(fd int, dir string) {
	if len(w.dirs) > maxWatched || w.add(fd, dir) != nil {
		w.stir.Lost = true // gone again, or no directory that we could look into
		return
	}
	root, err := os.OpenRoot(w.tree)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	f, err := root.Open(dir)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	names, _ := f.Readdirnames(maxNoted) // what is not listed is said by the next event
	for _, name := range names {
		w.stir.Made[path.Join(dir, name)] = true
	}
}

// stirred gives what was noted since the last call.
func (w *watch) stirred() Stir {
	if w == nil {
		return newStir()
	}
	_ = w.conn.Control(func(fd uintptr) { w.take(int(fd)) }) // closed: nothing more comes
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.stir
	w.stir = newStir()
	return out
}

func (w *watch) close() {
	if w != nil {
		_ = w.file.Close()
	}
}
