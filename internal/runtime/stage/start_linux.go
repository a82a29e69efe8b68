package stage

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/process"
)

// Start runs the stages with a spec, and gives what they reported.
func Start(ctx context.Context, s Spec, pc process.Command) (process.Result, Status, error) {
	mem, err := memoryFile(s)
	if err != nil {
		return process.Result{}, Status{}, err
	}
	defer func() { _ = mem.Close() }()
	up, statusEnd, err := os.Pipe()
	if err != nil {
		return process.Result{}, Status{}, fmt.Errorf("start sandbox: %w", err)
	}
	defer func() { _ = up.Close() }()
	lifeEnd, life, err := os.Pipe()
	if err != nil {
		return process.Result{}, Status{}, errors.Join(fmt.Errorf("start sandbox: %w", err), statusEnd.Close())
	}
	defer func() { _ = life.Close() }()
	pc.Label = "sandbox"
	if len(pc.Argv) > 0 {
		pc.Label = filepath.Base(pc.Argv[0])
	}
	pc.Argv = []string{"/proc/self/exe", Arg, "init"}
	pc.Env, pc.Dir, pc.Grace = []string{}, "/", outerGrace
	pc.ExtraFiles = []*os.File{mem, statusEnd, lifeEnd}
	pc.SysProcAttr = s.namespaces()
	heard := make(chan Status, 1)
	go func() { heard <- Listen(up) }()
	res, err := process.Run(ctx, pc)
	_, _ = statusEnd.Close(), lifeEnd.Close()
	st := <-heard
	return res, st, err
}

// namespaces are entered with the first process, so that it is their first.
func (s Spec) namespaces() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	if !s.Namespaces {
		return attr
	}
	attr.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC
	if s.Network.Loopback {
		attr.Cloneflags |= unix.CLONE_NEWNET
	}
	if s.As == nil {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		// Only for init: it arranges the mounts as who we are, not as root.
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN}
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return attr
}

// Listen merges the status lines until the helper is gone. The pipe's other end
// never reaches the command.
func Listen(up io.Reader) Status {
	var all Status
	for lines := bufio.NewScanner(up); lines.Scan(); {
		var st Status
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
func memoryFile(s Spec) (*os.File, error) {
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

// Outcome is the result of a command that ran below the stages.
func Outcome(program string, res process.Result, st Status, err error) (process.Result, error) {
	switch {
	case err != nil:
		return res, err
	case st.NotFound:
		return res, fmt.Errorf("run in workspace: %s: %w", strings.TrimSuffix(st.Error, ": "+errNoProgram.Error()), process.ErrNotFound)
	case st.Error != "":
		return res, fmt.Errorf("run %s in workspace: %s", program, st.Error)
	case !st.Done:
		// Killed from outside, by us at the deadline or by somebody else: the
		// result says so, and never that the command succeeded.
		if res.ExitCode == 0 {
			res.ExitCode = -1
		}
		return res, nil
	}
	res.ExitCode, res.Limit = st.Exit, st.Limit
	if res.Limit != "" && res.ExitCode == 0 {
		res.ExitCode = -1 // it was ended, whatever it said before
	}
	if st.Signal != 0 {
		res.Signal = syscall.Signal(st.Signal).String()
	}
	return res, nil
}

// Probed judges the end of a probe.
func Probed(res process.Result, st Status, err error) error {
	switch {
	case err != nil:
		return err
	case st.Error != "":
		return errors.New(st.Error)
	case res.TimedOut:
		return fmt.Errorf("the helper did not start within %s", ProbeTime)
	case !st.Ready || !st.Done || st.Exit != 0:
		return fmt.Errorf("helper ended early: exit %d %s %s", res.ExitCode, res.Signal, diagnosis.Line(res.Stderr))
	}
	return nil
}

// ProbeTime is more than any start takes: a layer is not missing because the machine,
// or the container engine, is busy. InitGrace is how long a command has to end when it was
// asked to, outerGrace how long the stages have, which need the former themselves.
const (
	ProbeTime  = 2 * time.Minute
	InitGrace  = 2 * time.Second
	outerGrace = 4 * time.Second
)
