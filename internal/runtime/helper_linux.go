package runtime

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/process"
)

// helper runs the helper with a spec, and gives what it reported.
func (w *Workspace) helper(ctx context.Context, s spec, c Command, pc process.Command) (process.Result, status, error) {
	mem, err := memoryFile(s)
	if err != nil {
		return process.Result{}, status{}, err
	}
	defer func() { _ = mem.Close() }()
	up, statusEnd, err := os.Pipe()
	if err != nil {
		return process.Result{}, status{}, fmt.Errorf("start sandbox: %w", err)
	}
	defer func() { _ = up.Close() }()
	lifeEnd, life, err := os.Pipe()
	if err != nil {
		return process.Result{}, status{}, errors.Join(fmt.Errorf("start sandbox: %w", err), statusEnd.Close())
	}
	defer func() { _ = life.Close() }()
	pc.Argv = []string{"/proc/self/exe", sandboxArg, "init"}
	pc.Env, pc.Dir, pc.Grace = []string{}, "/", outerGrace
	pc.ExtraFiles = []*os.File{mem, statusEnd, lifeEnd}
	pc.SysProcAttr = w.namespaces(s.Network.Loopback)
	heard := make(chan status, 1)
	go func() { heard <- listen(up) }()
	res, err := process.Run(ctx, pc)
	_, _ = statusEnd.Close(), lifeEnd.Close()
	st := <-heard
	return res, st, err
}

// namespaces are entered with the first process, so that it is their first.
func (w *Workspace) namespaces(ownNetwork bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	if !w.walls.namespaces {
		return attr
	}
	attr.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC
	if ownNetwork {
		attr.Cloneflags |= unix.CLONE_NEWNET
	}
	if w.user == nil {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		// Only for init: it arranges the mounts as who we are, not as root.
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN}
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return attr
}

// listen merges the status lines until the helper is gone. The pipe's other end
// never reaches the command.
func listen(up io.Reader) status {
	var all status
	for lines := bufio.NewScanner(up); lines.Scan(); {
		var st status
		if json.Unmarshal(lines.Bytes(), &st) != nil {
			continue
		}
		all.Ready = all.Ready || st.Ready
		all.PID = max(all.PID, st.PID)
		if st.Error != "" {
			all.Error, all.NotFound = st.Error, st.NotFound
		}
		if st.Done {
			all.Done, all.Exit, all.Signal, all.Limit = true, st.Exit, st.Signal, st.Limit
		}
	}
	return all
}

// memoryFile holds the spec without a name that others could open.
func memoryFile(s spec) (*os.File, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("start sandbox: %w", err)
	}
	fd, err := unix.MemfdCreate("qa-spec", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("start sandbox: %w", err)
	}
	f := os.NewFile(uintptr(fd), "qa-spec")
	if _, err := f.Write(data); err != nil {
		return nil, errors.Join(fmt.Errorf("start sandbox: %w", err), f.Close())
	}
	return f, nil
}
