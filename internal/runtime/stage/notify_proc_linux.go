package stage

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// CanDuplicate reports whether pidfd_getfd is allowed here, by trying it on
// ourselves.
func CanDuplicate() bool {
	process, err := unix.PidfdOpen(os.Getpid(), 0)
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(process) }()
	fd, err := unix.PidfdGetfd(process, process, 0)
	if err != nil {
		return false
	}
	return unix.Close(fd) == nil
}

// duplicate gets the caller's socket. It needs the process, not the thread.
func duplicate(tid uint32, fd int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid))
	if err != nil {
		return -1, err
	}
	_, rest, _ := strings.Cut(string(text), "\nTgid:")
	pid, err := strconv.Atoi(strings.Fields(rest + " ?")[0])
	if err != nil {
		return -1, err
	}
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return -1, err
	}
	defer func() { _ = unix.Close(process) }()
	return unix.PidfdGetfd(process, fd, 0)
}

func readMemory(pid uint32, address uint64, into []byte) error {
	f, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	_, err = f.ReadAt(into, int64(address))
	return err
}

// describe gives the socket behind a descriptor of another process and the
// descriptor's flags.
func describe(pid uint32, fd int) (inode uint64, flags int, err error) {
	link, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, fd))
	if err != nil {
		return 0, 0, unix.EBADF
	}
	number, ok := strings.CutPrefix(link, "socket:[")
	if !ok {
		return 0, 0, unix.ENOTSOCK
	}
	if inode, err = strconv.ParseUint(strings.TrimSuffix(number, "]"), 10, 64); err != nil {
		return 0, 0, unix.ENOTSOCK
	}
	info, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", pid, fd))
	if err != nil {
		return 0, 0, unix.EBADF
	}
	for line := range strings.Lines(string(info)) {
		if value, ok := strings.CutPrefix(line, "flags:"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 8, 64)
			return inode, int(n), err
		}
	}
	return 0, 0, unix.EBADF
}

// unixKind finds the type of a UNIX socket: /proc/net/unix has it in the fifth
// column, the inode in the seventh.
func unixKind(pid uint32, inode uint64) (int, error) {
	table, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/unix", pid))
	if err != nil {
		return 0, unix.EACCES
	}
	want := strconv.FormatUint(inode, 10)
	for line := range strings.Lines(string(table)) {
		fields := strings.Fields(line)
		if len(fields) < 7 || fields[6] != want {
			continue
		}
		kind, err := strconv.ParseInt(fields[4], 16, 32)
		if err != nil || !slices.Contains([]int64{unix.SOCK_STREAM, unix.SOCK_DGRAM, unix.SOCK_SEQPACKET}, kind) {
			return 0, unix.EACCES
		}
		return int(kind), nil
	}
	return 0, unix.EACCES
}
