// Package limits says what one command may use of the machine, and sees whether it
// has used more of the disk.
package limits

import (
	"cmp"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/org/qa-action/internal/memory"
)

// What a command was ended for is told by these names.
const (
	OverProcesses = "processes"
	OverMemory    = "memory"
	OverDisk      = "disk"
)

// OrDefault fills in what was not configured.
func (l Limits) OrDefault() Limits {
	return Limits{
		Memory:    cmp.Or(l.Memory, memory.Machine()/4*3),
		Disk:      cmp.Or(l.Disk, 10<<30),
		FileSize:  cmp.Or(l.FileSize, 4<<30),
		Processes: cmp.Or(l.Processes, defaultProcesses(runtime.NumCPU(), ownProcesses())),
	}
}

// threadsEach is how many threads the kernel grants for each process of the
// limit: programs written in Go or run by Node.js have about ten, most others
// one.
const threadsEach = 4

// Threads is what the kernel's own count, which is one of threads, is set to.
func (l Limits) Threads() int { return threadsEach * l.Processes }

// defaultProcesses grows with the processors, as the workers of test runners and
// compilers do, so that what a fork bomb can start is in proportion to who must
// get a turn to end it. The control group that we live in counts threads, ours
// among them: the code's limit must be reached before it, else we could start nothing
// any more. A group without limit is 0.
func defaultProcesses(processors, group int) int {
	n := 128 + 32*processors
	if group > 0 {
		n = min(n, max((group-ownThreads)/threadsEach, minProcesses))
	}
	return n
}

const (
	ownThreads   = 64 // of us, our helpers and git
	minProcesses = 16
)

// ownProcesses is the limit of our control group; 0 when there is none.
func ownProcesses() int {
	for _, file := range []string{"/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"} {
		if data, err := os.ReadFile(file); err == nil {
			n, _ := strconv.Atoi(strings.TrimSpace(string(data))) // "max" is none
			return n
		}
	}
	return 0
}

// On are the limits of a workspace in a directory. They leave a quarter of a small disk to us: reports are written on it.
func (l Limits) On(dir string) Limits {
	all := l.OrDefault()
	if free := freeOn(dir); l.Disk == 0 && free > 0 {
		all.Disk = min(all.Disk, free/4*3)
	}
	return all
}

// Disk is what a command may fill.
type Disk struct {
	Dir     string   // where what is left is looked at
	Written []string // where the command writes
	UID     int      // as whom
	Limit   int64    // bytes
}

// WatchEvery is how often limits are looked at that the kernel does not keep for a
// whole process tree without control groups.
const WatchEvery = 100 * time.Millisecond

// Limits bound one command with all its descendants. Zero is the default.
type Limits struct {
	Memory   int64 // bytes resident; default 3/4 of the machine's
	Disk     int64 // bytes of the workspace on disk; default 10 GiB, and 3/4 of what is free
	FileSize int64 // bytes of one file; default 4 GiB
	// Processes is the number of them; default 128 and 32 for each processor,
	// less where our control group has less room. The kernel refuses threads
	// beyond four times as many.
	Processes int
}
