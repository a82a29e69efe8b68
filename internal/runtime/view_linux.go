package runtime

import (
	"context"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// view shows a directory of the machine at another path, whatever is there.
type view struct {
	From     string `json:"from"`
	At       string `json:"at"`
	ReadOnly bool   `json:"read_only,omitempty"`
}

// moves reports whether commands see the home at another path than we do.
func (w *Workspace) moves() bool {
	return w.parent != nil && !w.foreign && w.walls.namespaces && !w.place.apart
}

// probeViews finds out whether base can be shown where head stands.
func (w *Workspace) probeViews(ctx context.Context) error {
	if !w.moves() {
		return nil
	}
	if err := w.place.hand(w.user); err != nil {
		return err
	}
	return w.probe(ctx)
}

// views are what the workspace's commands see at another path: base's home in the place of head's,
// and head's, for reading, below it.
func (w *Workspace) views() []view {
	if !w.moves() {
		return nil
	}
	seen := w.parent.place.home
	return []view{{From: w.place.home, At: seen}, {From: seen, At: filepath.Join(seen, headDir), ReadOnly: true}}
}

func (v view) show(from *os.File) error {
	at, err := openDir(v.At)
	if err != nil {
		return err
	}
	defer func() { _ = at.Close() }()
	if err := unix.Mount(inProc(from), inProc(at), "", unix.MS_BIND, ""); err != nil {
		return err
	}
	if !v.ReadOnly {
		return nil
	}
	return unix.MountSetattr(unix.AT_FDCWD, v.At, unix.AT_SYMLINK_NOFOLLOW, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}
