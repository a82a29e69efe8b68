package process

import (
	"os"
	"os/exec"
	"syscall"
)

// tree is a running program; Windows has no process group to signal, so only
// the program itself is ended at its deadline.
type tree struct {
	cmd *exec.Cmd
	err error
}

func ownTree(own *syscall.SysProcAttr) {
	own.CreationFlags |= syscall.CREATE_NEW_PROCESS_GROUP
}

func startTree(cmd *exec.Cmd) (*tree, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &tree{cmd: cmd}, nil
}

func (t *tree) awaitEnd() { t.err = t.cmd.Wait() }

func (t *tree) terminate() { t.kill() }

func (t *tree) kill() { _ = t.cmd.Process.Kill() }

func (t *tree) finish() error { return t.err }

func signalOf(*os.ProcessState) string { return "" }

// Reap does nothing: Windows has no zombies.
func Reap() (stop func(), err error) { return func() {}, nil }
