package stage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Where no network namespace can be had, connect calls are answered here. The
// caller is stopped in the call; its address is copied, judged, and the
// connection made by us: on a duplicate of the caller's socket, or where that
// cannot be had (containers forbid pidfd_getfd) on a new socket that then takes
// the place of the caller's descriptor. The caller could change the address in
// its memory meanwhile: that has no effect, because the call itself is never
// carried out.

// Structures of linux/seccomp.h.
type (
	seccompNotif struct {
		ID    uint64
		PID   uint32
		Flags uint32
		Data  struct {
			Nr   int32
			Arch uint32
			IP   uint64
			Args [6]uint64
		}
	}
	seccompResp struct {
		ID    uint64
		Val   int64
		Error int32
		Flags uint32
	}
	seccompAddfd struct {
		ID         uint64
		Flags      uint32
		SrcFD      uint32
		NewFD      uint32
		NewFDFlags uint32
	}
)

const (
	notifRecv    = 0xc0502100
	notifSend    = 0xc0182101
	notifIDValid = 0x40082102
	notifAddFD   = 0x40182103
	addfdSetFD   = 1

	domainPort = 53 // a resolver on the loopback device talks to the world
)

func notifIoctl(fd int, request uintptr, arg unsafe.Pointer) error {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg))
	if errno != 0 {
		return errno
	}
	return nil
}

// superviseConnects receives the listener and answers until nobody is left. The
// command cannot connect at all when this ends early.
func (k *keeper) superviseConnects(fd int) {
	oob := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(fd, make([]byte, 1), oob, unix.MSG_CMSG_CLOEXEC)
	_ = unix.Close(fd)
	if err != nil || n == 0 {
		return // no listener was made
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) == 0 {
		return
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return
	}
	s := &supervisor{listener: fds[0], sockets: k.spec.Network.Sockets, made: map[uint64]bool{},
		loopbackOnly: k.spec.Network.Connect == ConnectLoopback, duplicate: k.spec.Network.Duplicate}
	for {
		ready := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(ready, -1); err == nil && ready[0].Revents&unix.POLLIN == 0 {
			return // nobody is left who could call
		}
		var n seccompNotif
		err := notifIoctl(s.listener, notifRecv, unsafe.Pointer(&n))
		switch {
		case err == unix.EINTR || err == unix.ENOENT: // the caller died
			continue
		case err != nil:
			return
		}
		go s.answer(n)
	}
}

type supervisor struct {
	listener     int
	loopbackOnly bool
	duplicate    bool
	sockets      []string // UNIX sockets nobody may connect to
	mu           sync.Mutex
	made         map[uint64]bool // inodes of connections we made
}

func (s *supervisor) answer(n seccompNotif) {
	resp := seccompResp{ID: n.ID}
	if err := s.connect(n); err != nil {
		var errno unix.Errno
		if !errors.As(err, &errno) {
			errno = unix.EACCES
		}
		resp.Error = -int32(errno)
	}
	_ = notifIoctl(s.listener, notifSend, unsafe.Pointer(&resp)) // ENOENT: the caller died
}

// connect carries out one call for the caller.
func (s *supervisor) connect(n seccompNotif) error {
	target, length := int(int32(n.Data.Args[0])), n.Data.Args[2]
	if length < 2 || length > unix.SizeofSockaddrAny {
		return unix.EINVAL
	}
	raw := make([]byte, length)
	if err := readMemory(n.PID, n.Data.Args[1], raw); err != nil {
		return unix.EFAULT
	}
	own := -1
	if s.duplicate {
		var err error
		if own, err = duplicate(n.PID, target); err != nil {
			return err
		}
		defer func() { _ = unix.Close(own) }()
	}
	inode, flags, err := describe(n.PID, target)
	if err != nil {
		return err
	}
	// What we read was the caller's only if it is still stopped in the call.
	if err := notifIoctl(s.listener, notifIDValid, unsafe.Pointer(&n.ID)); err != nil {
		return unix.EINTR
	}
	if s.duplicate {
		return s.connectOwn(own, raw, n.PID)
	}
	return s.connectNew(n, target, flags, raw, inode)
}

// connectOwn connects the caller's socket itself.
func (s *supervisor) connectOwn(fd int, raw []byte, pid uint32) error {
	domain, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil {
		return err
	}
	if domain == unix.AF_UNIX {
		path, err := s.judgeUnix(raw, pid)
		if err != nil {
			return err
		}
		defer func() { _ = path.Close() }()
		return unix.Connect(fd, viaDescriptor(path))
	}
	if s.loopbackOnly {
		addr, err := judgeInternet(raw)
		if err != nil {
			return err
		}
		return unix.Connect(fd, addr)
	}
	_, _, errno := unix.Syscall(unix.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&raw[0])), uintptr(len(raw)))
	if errno != 0 {
		return errno
	}
	return nil
}

// connectNew connects a new socket and gives it to the caller as target. The
// options that the caller has set on its own are lost; common programs set them
// after connecting.
func (s *supervisor) connectNew(n seccompNotif, target, flags int, raw []byte, inode uint64) error {
	s.mu.Lock()
	again := s.made[inode]
	s.mu.Unlock()
	if again {
		return unix.EISCONN
	}
	family := int(binary.NativeEndian.Uint16(raw))
	var addr unix.Sockaddr
	kind, err := unix.SOCK_STREAM, error(nil)
	if family == unix.AF_UNIX {
		if kind, err = unixKind(n.PID, inode); err != nil {
			return err
		}
		path, err := s.judgeUnix(raw, n.PID)
		if err != nil {
			return err
		}
		defer func() { _ = path.Close() }()
		addr = viaDescriptor(path)
	} else if addr, err = judgeInternet(raw); err != nil {
		return err
	}
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC|flags&unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	connErr := unix.Connect(fd, addr)
	if connErr != nil && connErr != unix.EINPROGRESS {
		return connErr
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	s.mu.Lock()
	s.made[st.Ino] = true
	s.mu.Unlock()
	add := seccompAddfd{ID: n.ID, Flags: addfdSetFD, SrcFD: uint32(fd), NewFD: uint32(target),
		NewFDFlags: uint32(flags & unix.O_CLOEXEC)}
	if err := notifIoctl(s.listener, notifAddFD, unsafe.Pointer(&add)); err != nil {
		return err
	}
	return connErr
}

// judgeInternet lets the caller talk to itself, and gives the address in a form
// of our own.
func judgeInternet(raw []byte) (unix.Sockaddr, error) {
	switch family := binary.NativeEndian.Uint16(raw); {
	case family == unix.AF_INET && len(raw) >= 8:
		ip := netip.AddrFrom4([4]byte(raw[4:8]))
		port := int(binary.BigEndian.Uint16(raw[2:]))
		return &unix.SockaddrInet4{Port: port, Addr: ip.As4()}, allowLoopback(ip, port)
	case family == unix.AF_INET6 && len(raw) >= 24:
		ip := netip.AddrFrom16([16]byte(raw[8:24]))
		port := int(binary.BigEndian.Uint16(raw[2:]))
		return &unix.SockaddrInet6{Port: port, Addr: ip.As16()}, allowLoopback(ip.Unmap(), port)
	}
	return nil, unix.EACCES
}

// allowLoopback refuses everything else. The unspecified address means the
// loopback device too.
func allowLoopback(ip netip.Addr, port int) error {
	if !ip.IsLoopback() && !ip.IsUnspecified() || port == domainPort {
		return unix.EACCES
	}
	return nil
}

// judgeUnix allows every socket but those of container engines and agents. The
// path is resolved once: what is connected to is what was looked at. Abstract
// sockets are refused, because who listens there cannot be told.
func (s *supervisor) judgeUnix(raw []byte, pid uint32) (*os.File, error) {
	path, _, _ := strings.Cut(string(raw[2:]), "\x00")
	if binary.NativeEndian.Uint16(raw) != unix.AF_UNIX || path == "" {
		return nil, unix.EACCES
	}
	if !filepath.IsAbs(path) {
		path = fmt.Sprintf("/proc/%d/cwd/%s", pid, path)
	}
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), path)
	var at unix.Stat_t
	if err := unix.Fstat(fd, &at); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	for _, refused := range s.sockets {
		var st unix.Stat_t
		if unix.Stat(refused, &st) == nil && st.Ino == at.Ino && st.Dev == at.Dev {
			return nil, errors.Join(unix.EACCES, file.Close())
		}
	}
	return file, nil
}

// viaDescriptor names an open file so that nobody can exchange it.
func viaDescriptor(f *os.File) unix.Sockaddr {
	return &unix.SockaddrUnix{Name: fmt.Sprintf("/proc/self/fd/%d", f.Fd())}
}
