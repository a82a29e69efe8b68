package tree

import (
	"io/fs"
	"syscall"
	"time"
)

// stampsTell says that a file cannot be written to and keep its stamp: the kernel sets the
// time of the last change of its metadata, and no program can.
const stampsTell = true

func stampOf(info fs.FileInfo) Stamp {
	s := Stamp{size: info.Size(), mode: info.Mode(), changed: info.ModTime(), modified: info.ModTime()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode, s.changed = st.Ino, time.Unix(st.Ctim.Unix())
	}
	return s
}
