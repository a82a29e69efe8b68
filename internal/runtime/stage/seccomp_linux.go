package stage

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Numbers of seccomp(2) and of struct seccomp_data that package unix lacks.
const (
	seccompSetModeFilter   = 1
	seccompNewListener     = 1 << 3
	seccompRetAllow        = 0x7fff0000
	seccompRetErrno        = 0x00050000
	seccompRetNotify       = 0x7fc00000
	offsetNumber           = 0
	offsetArch             = 4
	offsetArgs             = 16 // low half of the first; the others follow by 8
	x32Bit                 = 0x40000000
	socketTypeMask         = 0xf
	namespaceFlags         = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	msgFastopen            = 0x20000000
	tiocsti, tiocLinux     = 0x5412, 0x541c
	errAccess, errPermit   = seccompRetErrno | uint32(unix.EACCES), seccompRetErrno | uint32(unix.EPERM)
	errNoSys, errOpNotSupp = seccompRetErrno | uint32(unix.ENOSYS), seccompRetErrno | uint32(unix.EOPNOTSUPP)
)

// Treatments of connect calls and internet sockets; empty leaves them alone.
const (
	ConnectLoopback = "loopback" // connect only to the loopback device
	ConnectSockets  = "sockets"  // connect to anything but engine sockets
	ConnectDeny     = "deny"     // no internet sockets
)

// auditArch names the calling convention a filter is written for; on others
// there is no filter.
var auditArch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// forbidden are system calls that no test suite needs and that reach into other
// processes, the kernel or the machine.
var forbidden = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN,
	unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_SETNS, unix.SYS_CHROOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_ACCT, unix.SYS_SETTIMEOFDAY,
	unix.SYS_CLOCK_SETTIME, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SYSLOG,
	unix.SYS_QUOTACTL, unix.SYS_VHANGUP,
}

// absent are calls that are answered as by an older kernel, for which every
// program has another way.
var absent = []uint32{unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_CLONE3}

// program assembles a filter.
type program []unix.SockFilter

func (p *program) load(offset uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

func (p *program) and(mask uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: mask})
}

// unless skips the next n instructions when the loaded value does not fulfil
// the condition.
func (p *program) unless(condition uint16, k uint32, n uint8) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | condition | unix.BPF_K, K: k, Jf: n})
}

func (p *program) ret(action uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action})
}

// call adds a rule for one system call: body runs with its arguments loadable,
// and falls through to the rest.
func (p *program) call(number uint32, body func(*program)) {
	var inner program
	body(&inner)
	inner.load(offsetNumber)
	p.unless(unix.BPF_JEQ, number, uint8(len(inner)))
	*p = append(*p, inner...)
}

func arg(n uint32) uint32 { return offsetArgs + 8*n }

// filter builds the program for a treatment of connect.
func filter(arch uint32, connect string) program {
	var p program
	p.load(offsetArch)
	p.unless(unix.BPF_JEQ, arch, 1)
	p = append(p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: 1})
	p.ret(errNoSys)
	p.load(offsetNumber)
	if arch == unix.AUDIT_ARCH_X86_64 {
		p.unless(unix.BPF_JGE, x32Bit, 1)
		p.ret(errNoSys)
	}
	for _, number := range forbidden {
		p.unless(unix.BPF_JEQ, number, 1)
		p.ret(errPermit)
	}
	for _, number := range absent {
		p.unless(unix.BPF_JEQ, number, 1)
		p.ret(errNoSys)
	}
	for _, number := range []uint32{unix.SYS_CLONE, unix.SYS_UNSHARE} {
		p.call(number, func(p *program) {
			p.load(arg(0))
			p.unless(unix.BPF_JSET, namespaceFlags, 1)
			p.ret(errPermit)
		})
	}
	p.call(unix.SYS_PRLIMIT64, func(p *program) { // of another process, which may be ours
		p.load(arg(0))
		p.unless(unix.BPF_JGT, 0, 1)
		p.ret(errPermit)
	})
	p.call(unix.SYS_IOCTL, func(p *program) {
		p.load(arg(1))
		for _, request := range []uint32{tiocsti, tiocLinux} {
			p.unless(unix.BPF_JEQ, request, 1)
			p.ret(errPermit)
		}
	})
	p.call(unix.SYS_SOCKET, func(p *program) { socketRules(p, connect) })
	if connect == ConnectLoopback || connect == ConnectSockets {
		p.unless(unix.BPF_JEQ, unix.SYS_CONNECT, 1)
		p.ret(seccompRetNotify)
	}
	if connect == ConnectLoopback {
		// Fast open would connect without connect.
		for number, flags := range map[uint32]uint32{unix.SYS_SENDTO: 3, unix.SYS_SENDMSG: 2, unix.SYS_SENDMMSG: 3} {
			p.call(number, func(p *program) {
				p.load(arg(flags))
				p.unless(unix.BPF_JSET, msgFastopen, 1)
				p.ret(errOpNotSupp)
			})
		}
	}
	p.ret(seccompRetAllow)
	return p
}

// socketRules forbids families that reach the hypervisor or the kernel, and, when
// connect is filtered, internet sockets that send without connecting.
func socketRules(p *program, connect string) {
	p.load(arg(0))
	for _, family := range []uint32{unix.AF_VSOCK, unix.AF_ALG, unix.AF_PACKET, unix.AF_TIPC, unix.AF_XDP} {
		p.unless(unix.BPF_JEQ, family, 1)
		p.ret(errPermit)
	}
	for _, family := range []uint32{unix.AF_INET, unix.AF_INET6} {
		switch connect {
		case ConnectDeny:
			p.unless(unix.BPF_JEQ, family, 1)
			p.ret(errAccess)
		case ConnectLoopback:
			p.unless(unix.BPF_JEQ, family, 6)
			p.load(arg(1))
			p.and(socketTypeMask)
			p.unless(unix.BPF_JEQ, unix.SOCK_STREAM, 2)
			p.load(arg(0)) // for the next family
			*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: 1})
			p.ret(errAccess)
		}
	}
}

// raiseSeccomp filters the calling thread, which must be locked and have
// no_new_privs. The listener is -1 when connect is not notified.
func raiseSeccomp(connect string) (listener int, err error) {
	arch, ok := auditArch[runtime.GOARCH]
	if !ok {
		return -1, fmt.Errorf("no filter for %s", runtime.GOARCH)
	}
	p := filter(arch, connect)
	prog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	notify := connect == ConnectLoopback || connect == ConnectSockets
	var flags uintptr
	if notify {
		flags = seccompNewListener
	}
	fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, seccompSetModeFilter, flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return -1, errno
	}
	if !notify {
		return -1, nil
	}
	return int(fd), nil
}
