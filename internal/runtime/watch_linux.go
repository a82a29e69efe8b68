package runtime

import (
	"context"
	"errors"
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
	free := spaceOf(k.spec.Scratch)
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

func (k *keeper) exceeded(freeAtStart space) string {
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
		return limitMemory
	case l.Disk > 0 && diskFull(freeAtStart, k.spec.Scratch, l.Disk, k.written, os.Getuid()):
		return limitDisk
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

// space is what a disk has left: bytes, and names of files where their number is
// fixed.
type space struct{ bytes, names int64 }

// bytesOfName is what a file without content counts for.
const bytesOfName = 4096

// diskFull judges the space that has gone since the start. Others write to the
// same disk and remove from it, so only twice the limit is proof; before that what
// a user has in the directories that the code writes to is counted.
func diskFull(start space, scratch string, limit int64, written []string, uid int) bool {
	now := spaceOf(scratch)
	gone, names := start.bytes-now.bytes, start.names-now.names
	return gone > 2*limit || (gone > limit || names > limit/bytesOfName/4) && usedBytes(written, uid) > limit
}

// whileRoom gives a context that ends when the workspace has grown beyond its limit,
// for commands that nobody of ours watches where they are; full says whether that
// is why.
func (w *Workspace) whileRoom(ctx context.Context) (within context.Context, full func() bool, done func()) {
	within, cancel := context.WithCancelCause(ctx)
	start, limit, every := spaceOf(w.place.home), w.limits().Disk, time.NewTicker(watchEvery)
	go func() {
		defer every.Stop()
		for {
			select {
			case <-within.Done():
				return
			case <-every.C:
				if diskFull(start, w.place.home, limit, w.place.writable(), w.uid()) {
					cancel(errDiskFull)
				}
			}
		}
	}()
	return within, func() bool { return errors.Is(context.Cause(within), errDiskFull) }, func() { cancel(nil) }
}

// uid is the code's user.
func (w *Workspace) uid() int {
	if w.user != nil {
		return w.user.UID
	}
	return os.Getuid()
}

var errDiskFull = errors.New("more disk than its limit")

// usedBytes is what a user's files take up on disk, of bytes or of names.
func usedBytes(dirs []string, uid int) int64 {
	var sum, names int64
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
			var st unix.Stat_t
			if unix.Lstat(path, &st) == nil && int(st.Uid) == uid {
				names++
				sum += st.Blocks * 512
			}
			return nil // what cannot be looked into is not counted
		})
	}
	return max(sum, names*bytesOfName)
}

func spaceOf(dir string) space {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return space{}
	}
	out := space{bytes: int64(st.Bavail) * st.Bsize}
	if st.Type != unix.XFS_SUPER_MAGIC && st.Type != unix.BTRFS_SUPER_MAGIC { // there names are made of bytes
		out.names = int64(st.Ffree)
	}
	return out
}
