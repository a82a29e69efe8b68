package stage

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/org/qa-action/internal/runtime/user"
)

// SharedDirs are what commands of one user have in common where they have no mounts
// of their own: what one leaves there, the next would find, on base as well.
var SharedDirs = []string{"/dev/shm", "/dev/mqueue", "/tmp", "/var/tmp", "/run/lock"}

// sharing counts the commands of this program that run without mounts of their own,
// and remembers what was there before the first of them.
var sharing struct {
	mu      sync.Mutex
	running int
	before  belongings
}

// belongings are the files and System V objects of one user that outlive processes,
// by where they are and what they are.
type belongings struct {
	files   map[string]uint64 // inodes
	objects map[string]bool
}

// Begin notes that a command begins, which has mounts of its own or not; end says that it ended, and the last one clears away
// what they left: all that is of the code's own user, since nobody else has that id.
// Where commands run as ourselves that is what was not there before and nobody uses.
func Begin(apart bool, u *user.User) (end func()) {
	if apart {
		return func() {}
	}
	sharing.mu.Lock()
	defer sharing.mu.Unlock()
	if sharing.running == 0 && u == nil {
		sharing.before = belongingsOf(os.Getuid())
	}
	sharing.running++
	return func() {
		sharing.mu.Lock()
		defer sharing.mu.Unlock()
		switch sharing.running--; {
		case sharing.running > 0:
		case u != nil:
			sweepShared(u.UID)
		default:
			sharing.before.sweepOthers(os.Getuid())
		}
	}
}

// sweepShared removes all that a user has.
func sweepShared(uid int) {
	for _, dir := range SharedDirs {
		sweepUser(dir, uid, func(string, uint64) bool { return false })
	}
	for _, kind := range systemV {
		kind.sweep(uid, func(string) bool { return false })
	}
}

// ownShared is what the code may write to where it runs as ourselves: Landlock
// keeps it from the others, of which /tmp is full of what is not the code's.
const ownShared = "/dev/shm"

func belongingsOf(uid int) belongings {
	b := belongings{files: map[string]uint64{}, objects: map[string]bool{}}
	sweepUser(ownShared, uid, func(name string, inode uint64) bool { b.files[name] = inode; return true })
	for _, kind := range systemV {
		kind.sweep(uid, func(id string) bool { b.objects[kind.list+id] = true; return true })
	}
	return b
}

// sweepOthers removes what was not there and is in no process.
func (b belongings) sweepOthers(uid int) {
	var inUse map[string]bool
	sweepUser(ownShared, uid, func(name string, inode uint64) bool {
		if was, ok := b.files[name]; ok && was == inode {
			return true
		}
		if inUse == nil {
			inUse = usedBelow(ownShared)
		}
		return inUse[name]
	})
	for _, kind := range systemV {
		kind.sweep(uid, func(id string) bool { return b.objects[kind.list+id] })
	}
}

// usedBelow names what processes that we can look into have open or mapped below a
// directory.
func usedBelow(dir string) map[string]bool {
	out := map[string]bool{}
	for _, kind := range []string{"fd", "map_files"} {
		links, _ := filepath.Glob("/proc/[0-9]*/" + kind + "/*")
		for _, link := range links {
			goal, err := os.Readlink(link)
			if rest, ok := strings.CutPrefix(goal, dir+"/"); err == nil && ok {
				name, _, _ := strings.Cut(rest, "/")
				out[name] = true
			}
		}
	}
	return out
}

// sweepUser removes what belongs to a user directly below a directory, with all
// that is in it, unless it is to be kept.
func sweepUser(dir string, uid int, keep func(name string, inode uint64) bool) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	f, err := root.Open(".")
	if err != nil {
		return
	}
	names, _ := f.Readdirnames(-1)
	_ = f.Close()
	for _, name := range names {
		info, err := root.Lstat(name)
		if err != nil {
			continue
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) == uid && !keep(name, st.Ino) {
			_ = root.RemoveAll(name)
		}
	}
}
