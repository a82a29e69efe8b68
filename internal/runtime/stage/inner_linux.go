package stage

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// The sandbox can be set up in another container too: our program is put into the
// workspace, which that container sees, and started there in place of the
// command. Descriptors cannot be handed over that way, so the spec and the
// status lines are files beside it, in a directory of ours that the code cannot
// list.
const (
	InsideArg = "inside"
	SweepArg  = "sweep"
)

// sandboxInside is the first stage there: it arranges the descriptors that init
// expects. Given a number only, it asks the init of that number to end; told to
// sweep, it removes what its user has outside of the workspace.
func sandboxInside(args []string) (exit int) {
	if len(args) == 1 && args[0] == SweepArg && os.Getuid() != 0 {
		sweepShared(os.Getuid())
		return 0
	}
	if len(args) == 1 {
		pid, err := strconv.Atoi(args[0])
		if err != nil || pid < 2 || unix.Kill(pid, unix.SIGTERM) != nil {
			return 125
		}
		return 0
	}
	if len(args) != 2 {
		return 125
	}
	if err := enterInside(args[0], args[1]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
	}
	return 125
}

func enterInside(specFile, statusFile string) error {
	in, err := unix.Open(specFile, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", specFile, err)
	}
	out, err := unix.Open(statusFile, unix.O_WRONLY|unix.O_APPEND|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", statusFile, err)
	}
	// Nobody holds the other end of the line of life: who started us is in
	// another container and asks for the end.
	var life [2]int
	if err := unix.Pipe2(life[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("make pipe: %w", err)
	}
	const above = 16 // the goals 3 to 5 may be taken by the three themselves
	var high [3]int
	for i, fd := range []int{in, out, life[0]} {
		if high[i], err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, above); err != nil {
			return fmt.Errorf("arrange descriptors: %w", err)
		}
	}
	if _, err := unix.FcntlInt(uintptr(life[1]), unix.F_DUPFD, above); err != nil {
		return fmt.Errorf("arrange descriptors: %w", err)
	}
	for i, goal := range []int{specFD, statusFD, lifeFD} {
		if err := unix.Dup3(high[i], goal, 0); err != nil {
			return fmt.Errorf("arrange descriptors: %w", err)
		}
	}
	return fmt.Errorf("start sandbox: %w", unix.Exec("/proc/self/exe", []string{"qa", Arg, "init"}, nil))
}
