package rooted

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"syscall"
)

// entries reads a folder as the kernel lists it, with the kind of each entry. The library
// looks at every entry of a folder below a root as well, which costs several times more.
func (r *Reader) entries(folder *os.File, use func(name []byte, kind fs.FileMode, known bool)) error {
	conn, err := folder.SyscallConn()
	if err != nil {
		return err
	}
	if r.page == nil {
		r.page = make([]byte, 32<<10)
	}
	for {
		n := 0
		var failed error
		err := conn.Control(func(fd uintptr) {
			for {
				if n, failed = syscall.ReadDirent(int(fd), r.page); failed != syscall.EINTR {
					return
				}
			}
		})
		if err != nil || failed != nil || n <= 0 {
			if err == nil && failed != nil {
				err = os.NewSyscallError("readdirent", failed)
			}
			return err
		}
		listed(r.page[:n], use)
	}
}

// kinds are the kinds of entries by what the kernel calls them.
var kinds = map[byte]fs.FileMode{
	syscall.DT_REG: 0, syscall.DT_DIR: fs.ModeDir, syscall.DT_LNK: fs.ModeSymlink, syscall.DT_FIFO: fs.ModeNamedPipe,
	syscall.DT_SOCK: fs.ModeSocket, syscall.DT_CHR: fs.ModeDevice | fs.ModeCharDevice, syscall.DT_BLK: fs.ModeDevice,
}

// listed goes through records of the kernel: the number of the file and a place in the
// folder, eight bytes each, the length of the record, the kind, and the name up to a zero.
func listed(page []byte, use func(name []byte, kind fs.FileMode, known bool)) {
	const header = 8 + 8 + 2 + 1
	for len(page) >= header {
		size := int(binary.NativeEndian.Uint16(page[16:]))
		if size < header || size > len(page) {
			return
		}
		name := page[header:size]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if binary.NativeEndian.Uint64(page) != 0 && string(name) != "." && string(name) != ".." {
			kind, known := kinds[page[18]]
			use(name, kind, known)
		}
		page = page[size:]
	}
}
