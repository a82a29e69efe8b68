package stage

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/limits"
	"github.com/org/qa-action/internal/runtime/user"
)

// sandboxInit is the upper half of the helper.
func sandboxInit(s Spec, out *os.File) error {
	life := os.NewFile(lifeFD, "life")
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if s.Namespaces {
		if err := arrangeMounts(s.Mounts); err != nil {
			return err
		}
	}
	if s.Network.Loopback {
		if err := loopbackUp(); err != nil {
			return err
		}
	}
	if err := become(s.As); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become child subreaper: %w", err)
	}
	// Nobody of the same user may look into us or trace us.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("become undumpable: %w", err)
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("make socket pair: %w", err)
	}
	child, err := syscall.ForkExec("/proc/self/exe", []string{"qa", Arg, "exec"}, &syscall.ProcAttr{
		Dir: s.Dir, Env: []string{},
		Files: []uintptr{0, 1, 2, specFD, statusFD, uintptr(pair[1])},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return fmt.Errorf("start sandbox stage: %w", err)
	}
	_ = unix.Close(pair[1])
	written := slices.DeleteFunc(slices.Clone(s.Files.Write), func(dir string) bool { return dir == ownShared })
	k := &keeper{spec: s, child: child, disk: limits.Disk{Dir: s.Scratch, Written: written, UID: os.Getuid(), Limit: s.Limits.Disk}}
	go k.superviseConnects(pair[0])
	go k.endWith(life)
	go k.terminateOn(term)
	go k.watch()
	say(out, Status{PID: os.Getpid()})
	say(out, k.reap())
	return nil
}

// become changes to the sandbox user, without any group.
func become(u *user.User) error {
	if u == nil {
		return nil
	}
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setresgid(u.GID, u.GID, u.GID), syscall.Setresuid(u.UID, u.UID, u.UID)); err != nil {
		return fmt.Errorf("become uid %d: %w", u.UID, err)
	}
	return nil
}

// keeper is init while the command runs.
type keeper struct {
	spec  Spec
	disk  limits.Disk
	child int
	limit atomic.Pointer[string]
}

// reap waits for everybody until the command itself has ended, then kills what
// it left.
func (k *keeper) reap() Status {
	var ws unix.WaitStatus
	for {
		pid, err := unix.Wait4(-1, &ws, 0, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil || pid == k.child {
			break
		}
	}
	k.killAll()
	st := Status{Done: true, Exit: ws.ExitStatus()}
	if ws.Signaled() {
		st.Exit, st.Signal = -1, int(ws.Signal())
	}
	if limit := k.limit.Load(); limit != nil {
		st.Limit = *limit
	}
	return st
}

// killAll kills every descendant. The children of one that dies become ours,
// so it ends when there are none.
func (k *keeper) killAll() {
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
		k.stop()
		for {
			if pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); err == unix.ECHILD {
				return
			} else if pid <= 0 && err != unix.EINTR {
				break
			}
		}
		time.Sleep(time.Millisecond)
	}
}

// outrun is when a fork bomb has outrun the search for its parts.
const outrun = 2 * time.Second

// stop ends the command at once, with all descendants. They are stopped first,
// until no new ones turn up, because a fork bomb outruns a killer.
func (k *keeper) stop() {
	if k.spec.Namespaces {
		_ = unix.Kill(-1, unix.SIGKILL) // all but us in this namespace
		return
	}
	stopped := map[int]bool{}
	began := time.Now()
	for again := true; again; {
		again = false
		if time.Since(began) > outrun && k.stopStorm() {
			return
		}
		for _, pid := range descendants(os.Getpid()) {
			if !stopped[pid] {
				stopped[pid], again = true, true
				_ = unix.Kill(pid, unix.SIGSTOP)
			}
		}
	}
	for pid := range stopped {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// stopStorm ends a command that has too many processes to look for. One call
// signals all that we may signal, and no fork that is under way gets past it:
// the kernel holds the list of processes meanwhile, and ends the fork of whoever
// has a fatal signal pending. Those processes are the code's user's: another run
// of it may be hit, nobody else. Where the user is our own there is no such call,
// and false is reported.
func (k *keeper) stopStorm() bool {
	if !k.spec.Namespaces && k.spec.As == nil {
		return false
	}
	_ = unix.Kill(-1, unix.SIGKILL)
	return true
}

// endWith kills everything when the process that started us is gone.
func (k *keeper) endWith(life *os.File) {
	_, _ = life.Read(make([]byte, 1))
	k.stop()
}

// terminateOn passes a request to end on to the command, and ends it when it
// does not follow in time.
func (k *keeper) terminateOn(term <-chan os.Signal) {
	<-term
	_ = unix.Kill(-k.child, unix.SIGTERM)
	for _, pid := range descendants(os.Getpid()) {
		_ = unix.Kill(pid, unix.SIGTERM)
	}
	time.Sleep(time.Duration(k.spec.GraceMS) * time.Millisecond)
	for { // until reap ends the process
		k.stop()
		time.Sleep(20 * time.Millisecond)
	}
}

func descendants(pid int) []int {
	all := process.Children(pid)
	for i := 0; i < len(all); i++ {
		all = append(all, process.Children(all[i])...)
	}
	return all
}

// loopbackUp brings up the only device of a new network namespace.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("bring loopback up: %w", err)
	}
	defer func() { _ = unix.Close(fd) }()
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("bring loopback up: %w", err)
	}
	req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req); err != nil {
		return fmt.Errorf("bring loopback up: %w", err)
	}
	return nil
}
