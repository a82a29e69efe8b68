package tree

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func stampOf(info fs.FileInfo) Stamp {
	s := Stamp{size: info.Size(), mode: info.Mode(), changed: info.ModTime(), modified: info.ModTime()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode, s.changed = st.Ino, time.Unix(st.Ctim.Unix())
	}
	return s
}

// timesTell reports whether a file below a directory cannot be written to and keep its
// times. In memory (tmpfs) it can, through a mapping that was read before: no fault tells
// the kernel of the write. Of other file systems than these nobody has looked.
func timesTell(dir string) bool {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return false
	}
	switch st.Type {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC:
		return true
	}
	return false
}
