package runtime

import (
	"os"
	"sync"
	"syscall"
)

// sharedDirs are what commands of one user have in common where they have no mounts
// of their own: what one leaves there, the next would find, on base as well.
var sharedDirs = []string{"/dev/shm", "/tmp"}

// sharing counts the commands of this program that run without mounts of their own.
var sharing struct {
	mu      sync.Mutex
	running int
}

// share notes that a command begins; leave it ends, and the last one clears away
// what they left. Only files of the code's own user are touched: nobody else has
// that id.
func (w *Workspace) share() (leave func()) {
	if w.walls.namespaces || w.user == nil {
		return func() {}
	}
	sharing.mu.Lock()
	defer sharing.mu.Unlock()
	sharing.running++
	return func() {
		sharing.mu.Lock()
		defer sharing.mu.Unlock()
		if sharing.running--; sharing.running > 0 {
			return
		}
		for _, dir := range sharedDirs {
			sweepUser(dir, w.user.uid)
		}
		for _, kind := range systemV {
			kind.sweep(w.user.uid)
		}
	}
}

// sweepUser removes what belongs to a user directly below a directory, with all
// that is in it.
func sweepUser(dir string, uid int) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	f, err := root.Open(".")
	if err != nil {
		return
	}
	names, _ := f.Readdirnames(-1)
	_ = f.Close()
	for _, name := range names {
		info, err := root.Lstat(name)
		if err != nil {
			continue
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) == uid {
			_ = root.RemoveAll(name)
		}
	}
}
