package rooted

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// whole reads a regular file into memory with four calls of the kernel, and one more to see
// what it is where nobody did, where the library needs nine and notes of its own for each
// file. It is false for anything else than such a file of at most limit bytes that is there
// and stays as it is: what that is, the library finds out.
func (r *Reader) whole(name string, seen bool, limit int64, memory []byte) (data []byte, ok bool) {
	if !fs.ValidPath(name) {
		return nil, false
	}
	dir, base := path.Split(name)
	folder, err := r.folder(dir)
	if err != nil {
		return nil, false
	}
	var about unix.Stat_t
	if !seen { // opening a device can do something
		if err := unix.Fstatat(folder, base, &about, unix.AT_SYMLINK_NOFOLLOW); err != nil || about.Mode&unix.S_IFMT != unix.S_IFREG {
			return nil, false
		}
	}
	fd, err := unix.Openat(folder, base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	defer func() { _ = unix.Close(fd) }() // only read
	if err := unix.Fstat(fd, &about); err != nil || about.Mode&unix.S_IFMT != unix.S_IFREG || about.Size > limit {
		return nil, false
	}
	size := int(about.Size)
	if data = memory; cap(data) <= size {
		data = make([]byte, size+1)
	}
	data = data[:size+1] // one byte more, in which a file that grew shows
	for n := 0; ; {
		more, err := unix.Read(fd, data[n:])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		n += max(more, 0)
		switch {
		case n == size:
			return data[:size], true
		case err != nil || more <= 0 || n > size:
			return nil, false
		}
	}
}

// folder opens a folder, named with a slash at its end, and keeps it for the next file. The
// kernel follows no link out of the root on the way.
func (r *Reader) folder(dir string) (int, error) {
	if r.top == nil {
		top, err := r.root.Open(".")
		if err != nil {
			return -1, err
		}
		r.top = top
	}
	top := int(r.top.Fd())
	if dir == "" {
		return top, nil
	}
	if r.open == nil || r.openDir != dir {
		fd, err := unix.Openat2(top, dir, &unix.OpenHow{
			Flags:   unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC,
			Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
		})
		if err != nil {
			return -1, err
		}
		if r.open != nil {
			_ = r.open.Close() // only a place
		}
		r.open, r.openDir = os.NewFile(uintptr(fd), dir), dir
	}
	return int(r.open.Fd()), nil
}
