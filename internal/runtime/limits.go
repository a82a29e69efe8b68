package runtime

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/memory"
)

// What a command was ended for is told by these names.
const (
	limitProcesses = "processes"
	limitMemory    = "memory"
	limitDisk      = "disk"
)

// orDefault fills in what was not configured.
func (l Limits) orDefault() Limits {
	if l.Memory == 0 {
		l.Memory = memory.Machine() / 4 * 3
	}
	if l.Disk == 0 {
		l.Disk = 10 << 30
	}
	if l.FileSize == 0 {
		l.FileSize = 4 << 30
	}
	if l.Processes == 0 {
		l.Processes = defaultProcesses(runtime.NumCPU(), ownProcesses())
	}
	return l
}

// threadsEach is how many threads the kernel grants for each process of the
// limit: programs written in Go or run by Node.js have about ten, most others
// one.
const threadsEach = 4

// threads is what the kernel's own count, which is one of threads, is set to.
func (l Limits) threads() int { return threadsEach * l.Processes }

// defaultProcesses grows with the processors, as the workers of test runners and
// compilers do, so that what a fork bomb can start is in proportion to who must
// get a turn to end it. The control group that we live in counts threads, ours
// among them: the code's wall must stand before it, else we could start nothing
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
