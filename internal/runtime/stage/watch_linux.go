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

// visible lists the processes that can be seen, or those of the user, but for ourselves:
// one listing, where a walk from parent to child takes too long among hundreds that all
// want to run. In namespaces they are all the command's, and listing them so has the
// kernel make one entry for each process instead of some for each of its threads, which
// it would have to take apart again when the process ends. A user may have two commands,
// on head and on base.
func (k *keeper) visible() []int {
	if k.spec.As == nil && !k.spec.Namespaces {
		return nil
	}
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	names, _ := proc.Readdirnames(-1) // what was read counts
	_ = proc.Close()
	var pids []int
	for _, name := range names {
		var st unix.Stat_t
		pid, err := strconv.Atoi(name)
		switch {
		case err != nil, pid == os.Getpid():
		case k.spec.Namespaces, unix.Stat("/proc/"+name, &st) == nil && int(st.Uid) == k.spec.As.ID():
			pids = append(pids, pid)
		}
	}
	return pids
}

func (k *keeper) exceeded(freeAtStart limits.Space) string {
	l, pids := k.spec.Limits, k.visible()
	// Of two commands of one user twice the limit is what proves a storm.
	if l.Processes > 0 && len(pids) > 2*l.Processes {
		return limits.OverProcesses
	}
	if !k.spec.Namespaces || len(pids) == 0 {
		pids = descendants(os.Getpid())
	}
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
