package clone

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/runtime/user"
)

// blocks are what small files are read into. One byte more than the largest of them
// tells that a file has grown since it was looked at.
var blocks = sync.Pool{New: func() any { return new([maxSmall + 1]byte) }}

// errGrows is of a file that is not small any more.
var errGrows = errors.New("it grows while it is copied")

// small copies a file by as few calls as it takes: the descriptors are ours alone, so that
// nothing waits for them to become ready, and what concerns the copy is said of the
// descriptor, which spares the kernel the way to it.
func small(path, target string, info fs.FileInfo, u *user.User) (err error) {
	in, err := open(path, unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	block := blocks.Get().(*[maxSmall + 1]byte) //nolint:forcetypeassert // nothing else is put there
	defer blocks.Put(block)
	data, err := whole(in, block[:], info.Size())
	_ = unix.Close(in) // only read
	if errors.Is(err, errGrows) {
		return large(path, target, info, u)
	}
	if err != nil {
		return fmt.Errorf("copy %s: %w", path, err)
	}
	mode := info.Mode().Perm() | 0o600
	out, err := open(target, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, uint32(mode))
	if err != nil {
		return err
	}
	if err := errors.Join(fill(out, data), settle(out, mode, info, u), unix.Close(out)); err != nil {
		return &fs.PathError{Op: "copy", Path: target, Err: err}
	}
	return nil
}

func open(path string, flags int, mode uint32) (int, error) {
	for {
		fd, err := unix.Open(path, flags|unix.O_CLOEXEC|unix.O_NOFOLLOW, mode)
		if err == nil {
			return fd, nil
		}
		if !errors.Is(err, unix.EINTR) {
			return -1, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// whole reads a file to its end. What was seen of its size spares asking for more.
func whole(fd int, block []byte, size int64) ([]byte, error) {
	read := 0
	for {
		n, err := unix.Read(fd, block[read:])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return nil, err
		}
		if read += n; n == 0 || n > 0 && int64(read) == size {
			return block[:read], nil
		}
		if read == len(block) {
			return nil, errGrows
		}
	}
}

func fill(fd int, data []byte) error {
	for len(data) > 0 {
		n, err := unix.Write(fd, data)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		data = data[max(n, 0):]
	}
	return nil
}

// settle gives an open copy its owner, mode and time. The mode it was made with has lost
// what the process, or a rule of the directory, takes from new files: mostly nothing.
func settle(fd int, mode fs.FileMode, like fs.FileInfo, u *user.User) error {
	if u != nil {
		if err := unix.Fchown(fd, u.UID, u.GID); err != nil {
			return fmt.Errorf("hand over to uid %d: %w", u.UID, err)
		}
	}
	var made unix.Stat_t
	err := unix.Fstat(fd, &made)
	if err == nil && fs.FileMode(made.Mode).Perm() != mode {
		err = unix.Fchmod(fd, uint32(mode))
	}
	at, wrong := unix.TimeToTimespec(like.ModTime())
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	times := [2]unix.Timespec{at, at}
	if _, _, errno := unix.Syscall6(unix.SYS_UTIMENSAT, uintptr(fd), 0, uintptr(unsafe.Pointer(&times)), 0, 0, 0); errno != 0 {
		return os.NewSyscallError("utimensat", errno)
	}
	return nil
}
