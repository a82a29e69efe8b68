//go:build unix

package output

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// foreign says who but us, root and the owner of the checkout could have written
// something. The owner counts because files that a container's root made are
// given back to them. A group that is named by its owner's number is the owner's
// alone; where such groups are usual, so is their right to write.
func (d *Dir) foreign(info fs.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	uid, gid, perm := int(st.Uid), int(st.Gid), info.Mode().Perm()
	if uid == d.spec.Tests && d.spec.Tests >= 0 {
		return "belongs to the user as whom tests run"
	}
	if uid != os.Geteuid() && uid != 0 && uid != d.keeper() {
		return fmt.Sprintf("belongs to another user (%d)", uid)
	}
	if perm&0o002 != 0 || perm&0o020 != 0 && (gid != uid || gid == d.spec.Tests) {
		return writable
	}
	return ""
}

// keeper is whose the checkout is, -1 when that is not known.
func (d *Dir) keeper() int {
	info, err := os.Lstat(d.spec.Checkout)
	if err != nil {
		return -1
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// names is how many names a file has.
func names(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink) //nolint:unconvert // another type on other systems
	}
	return 1
}
