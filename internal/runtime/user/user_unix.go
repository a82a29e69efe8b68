//go:build unix

package user

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Choose picks an id that nobody has; nil when we may not change users, or
// when our user namespace knows no other than those that somebody has.
func Choose() *User {
	if os.Geteuid() != 0 {
		return nil
	}
	users, groups := mapped("/proc/self/uid_map"), mapped("/proc/self/gid_map")
	taken := taken(records("/etc/passwd"), records("/etc/group"))
	for id := firstSandboxUID; id <= lastSandboxUID; id++ {
		if !taken[id] && users(id) && groups(id) {
			return &User{UID: id, GID: id}
		}
	}
	return nil
}

// taken are the ids that somebody has. A user that an image made for the code is
// nobody: see [Remark].
func taken(users, groups [][]string) map[int]bool {
	out, ours := map[int]bool{65534: true}, map[int]bool{} // nobody owns what is mapped to no one
	for _, file := range [][][]string{users, groups} {
		for _, fields := range file {
			id, err := strconv.Atoi(fields[2])
			if err == nil && fields[0] == Name && len(fields) > 4 && fields[4] == Remark {
				ours[id] = true
			}
			if err == nil && (fields[0] != Name || !ours[id]) {
				out[id] = true
			}
		}
	}
	return out
}

// records are the lines of a file of accounts that have an id, by their fields.
func records(path string) (out [][]string) {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Split(lines.Text(), ":"); len(fields) > 2 {
			out = append(out, fields)
		}
	}
	return out
}

// mapped tells which ids our user namespace has, by a file of the form of
// user_namespaces(7): lines of first id inside, first id outside, how many. Where
// there is no such file every id can be used.
func mapped(file string) func(id int) bool {
	data, err := os.ReadFile(file)
	if err != nil {
		return func(int) bool { return true }
	}
	return func(id int) bool {
		for line := range strings.Lines(string(data)) {
			var inside, outside, size int64
			if n, _ := fmt.Sscan(line, &inside, &outside, &size); n == 3 && int64(id) >= inside && int64(id)-inside < size {
				return true
			}
		}
		return false
	}
}

// WhyOurselves says why there is no sandboxUser.
func WhyOurselves() string {
	if os.Geteuid() != 0 {
		return "not root, so the user cannot be changed"
	}
	return "this user namespace has no other id to change to"
}

// Own gives a file to the user, without following a link.
func (u *User) Own(path string) error {
	if u == nil {
		return nil
	}
	if err := os.Lchown(path, u.UID, u.GID); err != nil {
		return fmt.Errorf("hand over to uid %d: %w", u.UID, err)
	}
	return nil
}

// Owns reports whether a file is the user's.
func (u *User) Owns(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == u.UID
}

// OwnerOf is whose a directory is; nil when it is root's, or nothing can be given
// to its owner because we are not root or our user namespace does not have it.
func OwnerOf(dir string) *User {
	info, err := os.Stat(dir)
	if err != nil || os.Geteuid() != 0 {
		return nil
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 || !mapped("/proc/self/uid_map")(int(st.Uid)) || !mapped("/proc/self/gid_map")(int(st.Gid)) {
		return nil
	}
	return &User{UID: int(st.Uid), GID: int(st.Gid)}
}

func Ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// LockFile locks a file for this process, or fails at once.
func LockFile(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return nil
}

// KeepOwner gives a file the owner that info tells. One that our user namespace
// does not have cannot be given anything.
func KeepOwner(f *os.File, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 {
		return nil
	}
	if err := f.Chown(int(st.Uid), int(st.Gid)); !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// Linked reports whether a file has another name.
func Linked(info fs.FileInfo) bool { return linkCount(info) > 1 }

func linkCount(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink) //nolint:unconvert // another type on other systems
	}
	return 1
}
