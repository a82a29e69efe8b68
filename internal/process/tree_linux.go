package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sweepTime bounds the killing of what a program left; a process in an
// uninterruptible system call cannot be waited for longer.
const sweepTime = 5 * time.Second

// started knows the programs that run now. It is locked for writing from fork
// to registration, so that a sweep never takes a fresh child for an orphan.
var started struct {
	sync.RWMutex
	pids map[int]bool
}

// subreap makes us the parent of every orphan below us. It also keeps the
// descriptors that whoever started us left open from being inherited on.
var subreap = sync.OnceValue(func() error {
	_ = unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC) // ENOSYS before Linux 5.11
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
})

// tree is a running program with its descendants.
type tree struct {
	cmd *exec.Cmd
	pid int
}

// ownTree gives the program a session of its own: it cannot join our process
// group (by which we tell orphans from our own children), and has no terminal
// to push keystrokes into.
func ownTree(own *syscall.SysProcAttr) {
	own.Setsid, own.Setpgid = true, false
}

func startTree(cmd *exec.Cmd) (*tree, error) {
	if err := subreap(); err != nil {
		return nil, fmt.Errorf("become child subreaper: %w", err)
	}
	started.Lock()
	defer started.Unlock()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if started.pids == nil {
		started.pids = map[int]bool{}
	}
	started.pids[cmd.Process.Pid] = true
	return &tree{cmd: cmd, pid: cmd.Process.Pid}, nil
}

// awaitEnd waits until the program ended but leaves it a zombie: as long as it
// is one, its number and its group's cannot be given to somebody else.
func (t *tree) awaitEnd() {
	for {
		err := unix.Waitid(unix.P_PID, t.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

func (t *tree) terminate() { _ = unix.Kill(-t.pid, unix.SIGTERM) }

func (t *tree) kill() { _ = unix.Kill(-t.pid, unix.SIGKILL) }

// finish kills what is left of the session, reaps the program and sweeps what
// left the session.
func (t *tree) finish() error {
	t.kill()
	err := t.cmd.Wait()
	started.Lock()
	delete(started.pids, t.pid)
	started.Unlock()
	t.sweep()
	return err
}

// sweep kills our orphans until there are none. An orphan belongs to the
// program that ended when it is of its session; one of unknown origin is killed
// too unless another program runs whose it may be: then that one's end takes
// it.
func (t *tree) sweep() {
	deadline := time.Now().Add(sweepTime)
	for pause := time.Millisecond; time.Now().Before(deadline); pause = min(2*pause, 50*time.Millisecond) {
		if t.sweepOnce() == 0 {
			return
		}
		time.Sleep(pause)
	}
}

func (t *tree) sweepOnce() (left int) {
	started.RLock()
	defer started.RUnlock()
	for _, o := range orphans() {
		if o.session != t.pid && len(started.pids) > 0 {
			continue
		}
		_ = unix.Kill(o.pid, unix.SIGKILL)
		// Reaped or not, look again: its children are ours only now.
		_, _ = unix.Wait4(o.pid, nil, unix.WNOHANG, nil)
		left++
	}
	return left
}

type orphan struct{ pid, session int }

// orphans lists the children that we adopted. Children of our own session were
// started by us, by this package or another. The caller holds started.
func orphans() []orphan {
	ours, err := unix.Getsid(0)
	if err != nil {
		return nil
	}
	var found []orphan
	for _, pid := range Children(os.Getpid()) {
		if started.pids[pid] {
			continue
		}
		if sid, err := unix.Getsid(pid); err == nil && sid != ours {
			found = append(found, orphan{pid, sid})
		}
	}
	return found
}

// Children lists the direct children of a process, those of all its threads.
func Children(pid int) []int {
	// Who watches a suite asks this of each of its processes again and again: nothing
	// below a thread is listed, of which the kernel would have to make an entry each.
	dir := fmt.Sprintf("/proc/%d/task", pid)
	threads, _ := os.ReadDir(dir)
	var pids []int
	for _, thread := range threads {
		data, err := os.ReadFile(filepath.Join(dir, thread.Name(), "children"))
		if err != nil {
			continue // the thread ended
		}
		for field := range strings.FieldsSeq(string(data)) {
			if n, err := strconv.Atoi(field); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}

func signalOf(state *os.ProcessState) string {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}

// Reap takes over the duty of an init process until stop is called: zombies
// that were handed to us are waited for. It is for a main program that is
// process 1 of a container, and does no harm elsewhere.
func Reap() (stop func(), err error) {
	if err := subreap(); err != nil {
		return nil, fmt.Errorf("become child subreaper: %w", err)
	}
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				reapZombies()
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) }), nil
}

func reapZombies() {
	started.RLock()
	defer started.RUnlock()
	for _, o := range orphans() {
		_, _ = unix.Wait4(o.pid, nil, unix.WNOHANG, nil)
	}
}
