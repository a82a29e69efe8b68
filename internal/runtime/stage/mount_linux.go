package stage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// Mask hides a path of the machine from a command in its own mount namespace.
type Mask struct {
	Path string `json:"path"`
	// Keep are directories below it that stay visible, parents first; those of
	// ReadOnly cannot be written to.
	Keep     []string `json:"keep,omitempty"`
	ReadOnly []string `json:"read_only,omitempty"`
	// Place, when set, is a directory to show instead, writable; without it an
	// empty read-only one is shown. A masked file is shown as empty.
	Place string `json:"place,omitempty"`
	// Memory, when set, is the size of an empty directory in memory that is shown
	// instead, in which everybody may write.
	Memory string `json:"memory,omitempty"`
}

// arrangeMounts makes the mount namespace the command's own: nothing spreads
// back, masks and views are in place, and /proc shows only its own processes.
func arrangeMounts(m mounts) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	m.nameUser()
	sources := make([]*os.File, len(m.Views)) // as they are now: a view covers the path of another
	for i, v := range m.Views {
		f, err := openDir(v.From)
		if err != nil {
			return fmt.Errorf("show %s: %w", filepath.Base(v.From), err)
		}
		defer func() { _ = f.Close() }()
		sources[i] = f
	}
	for _, mask := range m.Masks {
		if err := mask.apply(); err != nil {
			return fmt.Errorf("mask %s: %w", mask.Path, err)
		}
	}
	for i, v := range m.Views {
		if err := v.show(sources[i]); err != nil {
			return fmt.Errorf("show %s as %s: %w", filepath.Base(v.From), filepath.Base(v.At), err)
		}
	}
	return nil
}

// nameUser shows accounts in which the command's user has a name: programs look it up
// (os.userInfo, pwd.getpwuid) and fail where there is none. It is no wall: what cannot be
// shown is left out.
func (m mounts) nameUser() {
	for _, name := range Accounts() {
		if m.Accounts != "" {
			_ = unix.Mount(filepath.Join(m.Accounts, name), filepath.Join("/etc", name), "", unix.MS_BIND, "")
		}
	}
}

// openDir opens a directory that is no link, to mount it or to mount on it.
func openDir(path string) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// inProc is a path that leads to what is open and to nothing else.
func inProc(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

func (m Mask) apply() error {
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
	var kept []*os.File
	for _, path := range m.Keep {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		f := os.NewFile(uintptr(fd), path)
		defer func() { _ = f.Close() }()
		kept = append(kept, f)
	}
	switch {
	case m.Place != "":
		err = unix.Mount(m.Place, m.Path, "", unix.MS_BIND, "")
	case m.Memory != "":
		err = unix.Mount("tmpfs", m.Path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size="+m.Memory)
	default:
		err = unix.Mount("tmpfs", m.Path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=64k,nr_inodes=256")
	}
	if err != nil {
		return err
	}
	for _, f := range kept {
		if err := m.keep(f); err != nil {
			return fmt.Errorf("keep %s: %w", filepath.Base(f.Name()), err)
		}
	}
	if m.Place != "" || m.Memory != "" {
		return nil
	}
	return unix.Mount("", m.Path, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "")
}

// keep shows a directory again at its own path, which the mask has covered.
func (m Mask) keep(f *os.File) error {
	if err := os.MkdirAll(f.Name(), 0o755); err != nil && !errors.Is(err, unix.EROFS) {
		return err
	}
	if err := unix.Mount(inProc(f), f.Name(), "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return err
	}
	if !slices.Contains(m.ReadOnly, f.Name()) {
		return nil
	}
	return unix.MountSetattr(unix.AT_FDCWD, f.Name(), 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}

// View shows a directory of the machine at another path, whatever is there.
type View struct {
	From     string `json:"from"`
	At       string `json:"at"`
	ReadOnly bool   `json:"read_only,omitempty"`
}

func (v View) show(from *os.File) error {
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
