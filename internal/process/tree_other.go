//go:build unix && !linux

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// tree is a running program with its process group.
type tree struct {
	cmd *exec.Cmd
	pid int
	err error
}

func ownTree(own *syscall.SysProcAttr) {
	own.Setpgid = true
}

func startTree(cmd *exec.Cmd) (*tree, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &tree{cmd: cmd, pid: cmd.Process.Pid}, nil
}

func (t *tree) awaitEnd() { t.err = t.cmd.Wait() }

func (t *tree) terminate() { _ = syscall.Kill(-t.pid, syscall.SIGTERM) }

func (t *tree) kill() { _ = syscall.Kill(-t.pid, syscall.SIGKILL) }

func (t *tree) finish() error {
	t.kill()
	return t.err
}

func signalOf(state *os.ProcessState) string {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}

// Reap does nothing: only Linux hands orphans to a process other than init.
func Reap() (stop func(), err error) { return func() {}, nil }
