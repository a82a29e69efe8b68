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
		if over := k.exceeded(free); over != "" {
			k.limit.Store(&over)
			k.stop()
		}
	}
}

// crowded counts processes the quick way, where those that can be seen, or those
// of the user, are all the command's: a walk from parent to child takes too long
// among thousands that run.
func (k *keeper) crowded() bool {
	if k.spec.UID < 0 && !k.spec.Namespaces {
		return false
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	n := 0
	for _, e := range entries {
		var st unix.Stat_t
		switch {
		case e.Name()[0] < '0' || e.Name()[0] > '9':
		case k.spec.Namespaces, unix.Stat("/proc/"+e.Name(), &st) == nil && int(st.Uid) == k.spec.UID:
			n++
		}
	}
	return n > k.spec.Limits.Processes
}

func (k *keeper) exceeded(freeAtStart int64) string {
	l := k.spec.Limits
	if l.Processes > 0 && k.crowded() {
		return "processes"
	}
	pids := descendants(os.Getpid())
	var resident int64
	for _, pid := range pids {
		resident += residentBytes(pid)
	}
	switch {
	case l.Memory > 0 && resident > l.Memory:
		return "memory"
	case l.Disk > 0 && k.diskFull(freeAtStart-freeBytes(k.spec.Scratch)):
		return "disk"
	case l.Processes > 0 && len(pids) > l.Processes:
		return "processes"
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
