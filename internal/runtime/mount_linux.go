package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mask hides a path of the machine from a command in its own mount namespace.
type mask struct {
	Path string `json:"path"`
	// Keep are paths below it that stay visible.
	Keep []string `json:"keep,omitempty"`
	// Place, when set, is a directory to show instead, writable; without it an
	// empty read-only one is shown. A masked file is shown as empty.
	Place string `json:"place,omitempty"`
}

// arrangeMounts makes the mount namespace the command's own: nothing spreads
// back, masks are in place, and /proc shows only its own processes.
func arrangeMounts(masks []mask) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	for _, m := range masks {
		if err := m.apply(); err != nil {
			return fmt.Errorf("mask %s: %w", m.Path, err)
		}
	}
	return nil
}

func (m mask) apply() error {
	info, err := os.Stat(m.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return unix.Mount("/dev/null", m.Path, "", unix.MS_BIND, "")
	}
	kept := map[string]*os.File{}
	for _, path := range m.Keep {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		kept[path] = os.NewFile(uintptr(fd), path)
		defer func() { _ = kept[path].Close() }()
	}
	if m.Place != "" {
		err = unix.Mount(m.Place, m.Path, "", unix.MS_BIND, "")
	} else {
		err = unix.Mount("tmpfs", m.Path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=64k,nr_inodes=256")
	}
	if err != nil {
		return err
	}
	for path, f := range kept {
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
		source := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
		if err := unix.Mount(source, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("keep %s: %w", filepath.Base(path), err)
		}
	}
	if m.Place != "" {
		return nil
	}
	return unix.Mount("", m.Path, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "")
}
