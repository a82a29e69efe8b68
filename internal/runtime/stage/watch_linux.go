package stage

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/runtime/limits"
)

// watch ends the command when its descendants together exceed a limit.
func (k *keeper) watch() {
	free := limits.SpaceOf(k.disk.Dir)
	for {
		time.Sleep(limits.WatchEvery)
		over := k.exceeded(free)
		if over == "" {
			continue
		}
		k.limit.Store(&over)
		if over != limits.OverProcesses || !k.stopStorm() {
			k.stop()
		}
	}
}

// crowded counts processes the quick way, where those that can be seen, or those
// of the user, are all the command's: a walk from parent to child takes too long
// among hundreds that all want to run. A user may have two commands, on head and
// on base, so twice the limit is what proves a storm.
func (k *keeper) crowded() bool {
	if k.spec.As == nil && !k.spec.Namespaces {
		return false
	}
	proc, err := os.Open("/proc")
	if err != nil {
		return false
	}
	names, _ := proc.Readdirnames(-1) // what was read counts
	_ = proc.Close()
	room := 2 * k.spec.Limits.Processes
	for _, name := range names {
		var st unix.Stat_t
		switch {
		case name[0] < '0' || name[0] > '9':
		case k.spec.Namespaces, unix.Stat("/proc/"+name, &st) == nil && int(st.Uid) == k.spec.As.ID():
			room--
		}
	}
	return room < 0
}

func (k *keeper) exceeded(freeAtStart limits.Space) string {
	l := k.spec.Limits
	if l.Processes > 0 && k.crowded() {
		return limits.OverProcesses
	}
	pids := descendants(os.Getpid())
	if l.Processes > 0 && len(pids) > l.Processes {
		return limits.OverProcesses // before memory, of which many processes have much
	}
	var resident int64
	for _, pid := range pids {
		resident += residentBytes(pid)
	}
	switch {
	case l.Memory > 0 && resident > l.Memory:
		return limits.OverMemory
	case l.Disk > 0 && k.disk.Full(freeAtStart):
		return limits.OverDisk
	}
	return ""
}

// residentBytes is the physical memory of a process that is not a file's: pages
// of programs are shared by all who run them.
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
	shared, _ := strconv.ParseInt(fields[2], 10, 64)
	return (resident - shared) * int64(os.Getpagesize())
}
