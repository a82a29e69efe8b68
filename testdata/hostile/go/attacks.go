package main

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
	"unsafe"
)

// tries: talk to the hypervisor, the kernel's crypto and raw devices
func exoticSockets(targets) {
	for name, family := range map[string]int{"vsock": 40, "alg": 38, "packet": 17, "xdp": 44} {
		fd, err := syscall.Socket(family, syscall.SOCK_STREAM, 0)
		attempt(name, err)
		_ = syscall.Close(fd)
	}
}

// tries: connect without the connect call
func fastOpen(t targets) {
	ip := net.ParseIP(t.Listener[0].(string)).To4()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		attempt("socket", err)
		return
	}
	const fastOpen = 0x20000000
	_ = syscall.SetNonblock(fd, true)
	err = syscall.Sendto(fd, []byte("canary-secret"), fastOpen, &syscall.SockaddrInet4{Port: int(t.Listener[1].(float64)), Addr: [4]byte(ip)})
	if err == syscall.EINPROGRESS {
		err = nil
	}
	attempt("fast open", err)
	const mptcp = 262
	fd, err = syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, mptcp)
	if err == nil {
		err = syscall.Connect(fd, &syscall.SockaddrInet4{Port: int(t.Listener[1].(float64)), Addr: [4]byte(ip)})
	}
	attempt("multipath", err)
}

// tries: change the address while it is being judged
func raceConnect(t targets) {
	ip := net.ParseIP(t.Listener[0].(string)).To4()
	port := uint16(t.Listener[1].(float64))
	good := syscall.RawSockaddrInet4{Family: syscall.AF_INET, Addr: [4]byte{127, 0, 0, 1}, Port: port>>8 | port<<8}
	bad := good
	bad.Addr = [4]byte(ip)
	addr := good
	stop := time.Now().Add(2 * time.Second)
	go func() {
		for {
			addr = bad
			addr = good
		}
	}()
	for time.Now().Before(stop) {
		fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
		if err != nil {
			attempt("socket", err)
			return
		}
		_, _, errno := syscall.Syscall(syscall.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&addr)), 16)
		if peer, err := syscall.Getpeername(fd); errno == 0 && err == nil {
			if in4, ok := peer.(*syscall.SockaddrInet4); ok && in4.Addr == bad.Addr {
				fmt.Println("ESCAPED: won the race")
				return
			}
		}
		_ = syscall.Close(fd)
	}
	fmt.Println("held: lost every race")
}

// tries: read secrets out of the kernel's key rings
func keyring(targets) {
	const searchable = 250 // keyctl on amd64
	_, _, errno := syscall.Syscall(searchable, 0, uintptr(0xfffffffd), 1)
	if errno == 0 {
		attempt("session key ring", nil)
	}
	fmt.Println("held: keyctl:", errno)
}

// tries: plant programs where later runs take their tools from
func poisonCache(t targets) {
	for _, path := range []string{t.Toolchains + "/planted", t.Toolchains + "/node/bin/node", t.Cache + "/planted"} {
		attempt(filepath.Base(path), os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755))
	}
	attempt("rename the toolchains", os.Rename(t.Toolchains, t.Toolchains+".old"))
	if _, err := os.Stat(t.Toolchains); err == nil {
		attempt("remove the toolchains", os.RemoveAll(t.Toolchains))
	}
}

// tries: change a file of the checkout through a second name for it
func hardLink(t targets) {
	err := os.Link(t.Checkout+"/file", "linked")
	if err == nil {
		err = os.WriteFile("linked", []byte("planted\n"), 0o644)
	}
	attempt("hard link", err)
	attempt("link to the event", os.Link(t.Event, "event"))
}

// tries: end every process that it may signal
func signalFlood(t targets) {
	_ = syscall.Kill(-1, syscall.SIGSTOP)
	_ = syscall.Kill(-1, syscall.SIGKILL)
	for pid := 1; pid < 1<<15; pid++ {
		if pid != os.Getpid() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	fmt.Println("held: see who lives")
}

// tries: take descriptors out of another process
func pidfd(t targets) {
	for _, pid := range []int{1, os.Getppid(), t.PID} {
		fd, _, errno := syscall.Syscall(434, uintptr(pid), 0, 0)
		if errno != 0 {
			fmt.Println("held: pidfd_open:", errno)
			continue
		}
		for n := range uintptr(8) {
			if got, _, errno := syscall.Syscall(438, fd, n, 0); errno == 0 {
				fmt.Println("ESCAPED: descriptor", got)
			} else {
				fmt.Println("held: pidfd_getfd:", errno)
			}
		}
	}
}

// tries: leave a set-uid program that somebody else will run
func setUIDFile(t targets) {
	for _, dir := range []string{".", os.Getenv("TMPDIR"), t.Results} {
		name := filepath.Join(dir, "evil")
		_ = os.WriteFile(name, []byte("#!/bin/sh\n"), 0o755)
		_ = os.Chmod(name, fs.ModeSetuid|0o755)
	}
	fmt.Println("held: it can only be set to its own user")
}

// tries: reach into the kernel
func kernel(targets) {
	for name, nr := range map[string]uintptr{"bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "kexec_load": 246,
		"init_module": 175, "open_by_handle_at": 304, "syslog": 103} {
		_, _, errno := syscall.Syscall(nr, 0, 0, 0)
		if errno != syscall.EPERM {
			fmt.Println("ESCAPED: reached", name, errno)
			continue
		}
		fmt.Println("held:", name, errno)
	}
	for _, file := range []string{"/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/dev/mem", "/dev/vda"} {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		attempt(file, err)
		_ = f.Close()
	}
}

// tries: write in every directory of the machine that it does not own
func writeAnywhere(t targets) {
	for _, dir := range []string{"/", "/etc", "/usr/local/bin", "/opt", "/home", "/root", "/run", t.Checkout, t.Report, t.RunnerTemp, t.Home, t.FileCommands} {
		attempt(dir, os.WriteFile(filepath.Join(dir, "planted-by-hostile"), nil, 0o644))
	}
}
