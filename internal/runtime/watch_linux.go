package runtime

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
		over := k.exceeded(free)
		if over == "" {
			continue
		}
		k.limit.Store(&over)
		if over != limitProcesses || !k.stopStorm() {
			k.stop()
		}
	}
}

const limitProcesses = "processes"

// crowded counts processes the quick way, where those that can be seen, or those
// of the user, are all the command's: a walk from parent to child takes too long
// among hundreds that all want to run. A user may have two commands, on head and
// on base, so twice the limit is what proves a storm.
func (k *keeper) crowded() bool {
	if k.spec.UID < 0 && !k.spec.Namespaces {
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
		case k.spec.Namespaces, unix.Stat("/proc/"+name, &st) == nil && int(st.Uid) == k.spec.UID:
			room--
		}
	}
	return room < 0
}

func (k *keeper) exceeded(freeAtStart int64) string {
	l := k.spec.Limits
	if l.Processes > 0 && k.crowded() {
		return limitProcesses
	}
	pids := descendants(os.Getpid())
	if l.Processes > 0 && len(pids) > l.Processes {
		return limitProcesses // before memory, of which many processes have much
	}
	var resident int64
	for _, pid := range pids {
		resident += residentBytes(pid)
	}
	switch {
	case l.Memory > 0 && resident > l.Memory:
		return "memory"
	case l.Disk > 0 && k.diskFull(freeAtStart-freeBytes(k.spec.Scratch)):
		return "disk"
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

// diskFull judges the space that has gone since the start. Others write to the
// same disk, so only twice the limit is proof; between the two the workspace is
// counted.
func (k *keeper) diskFull(gone int64) bool {
	limit := k.spec.Limits.Disk
	return gone > 2*limit || gone > limit && usedBytes(k.spec.Scratch) > limit
}

// usedBytes is what a tree takes up on disk.
func usedBytes(dir string) int64 {
	var sum int64
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		var st unix.Stat_t
		if err == nil && d.Type().IsRegular() && unix.Lstat(path, &st) == nil {
			sum += st.Blocks * 512
		}
		return nil // what cannot be looked into is not counted
	})
	return sum
}

func freeBytes(dir string) int64 {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0
	}
	return int64(st.Bavail) * st.Bsize
}
