package runtime

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// watchEvery is how often limits are looked at that the kernel does not keep
// for a whole process tree without control groups.
const watchEvery = 100 * time.Millisecond

// watch ends the command when its descendants together exceed a limit.
func (k *keeper) watch() {
	free := freeBytes(k.spec.Scratch)
	for {
		time.Sleep(watchEvery)
		if over := k.exceeded(free); over != "" {
			k.limit.Store(&over)
			k.stop()
		}
	}
}

func (k *keeper) exceeded(freeAtStart int64) string {
	l := k.spec.Limits
	pids := descendants(os.Getpid())
	var resident int64
	for _, pid := range pids {
		resident += residentBytes(pid)
	}
	switch {
	case l.Memory > 0 && resident > l.Memory:
		return "memory"
	case l.Disk > 0 && freeAtStart-freeBytes(k.spec.Scratch) > l.Disk:
		return "disk"
	case l.Processes > 0 && len(pids) > l.Processes:
		return "processes"
	}
	return ""
}

// residentBytes is the physical memory of a process.
func residentBytes(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data)) // size resident shared …, in pages
	if len(fields) < 3 {
		return 0
	}
	resident, _ := strconv.ParseInt(fields[1], 10, 64)
	return resident * int64(os.Getpagesize())
}

func freeBytes(dir string) int64 {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0
	}
	return int64(st.Bavail) * st.Bsize
}
