package limits

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// Space is what a disk has left: bytes, and names of files where their number is
// fixed.
type Space struct{ bytes, names int64 }

// bytesOfName is what a file without content counts for.
const bytesOfName = 4096

// Full judges the space that has gone since the start. Others write to the same
// disk and remove from it, so only twice the limit is proof; before that what a user
// has in the directories that the code writes to is counted.
func (d Disk) Full(start Space) bool {
	now := SpaceOf(d.Dir)
	gone, names := start.bytes-now.bytes, start.names-now.names
	return gone > 2*d.Limit || (gone > d.Limit || names > d.Limit/bytesOfName/4) && usedBytes(d.Written, d.UID) > d.Limit
}

// WhileRoom gives a context that ends when a workspace has grown beyond its limit,
// for commands that nobody of ours watches where they are; full says whether that
// is why.
func WhileRoom(ctx context.Context, d Disk) (within context.Context, full func() bool, done func()) {
	within, cancel := context.WithCancelCause(ctx)
	start, every := SpaceOf(d.Dir), time.NewTicker(WatchEvery)
	go func() {
		defer every.Stop()
		for {
			select {
			case <-within.Done():
				return
			case <-every.C:
				if d.Full(start) {
					cancel(errDiskFull)
				}
			}
		}
	}()
	return within, func() bool { return errors.Is(context.Cause(within), errDiskFull) }, func() { cancel(nil) }
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

func freeOn(dir string) int64 { return SpaceOf(dir).bytes }

func SpaceOf(dir string) Space {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return Space{}
	}
	out := Space{bytes: int64(st.Bavail) * st.Bsize}
	if st.Type != unix.XFS_SUPER_MAGIC && st.Type != unix.BTRFS_SUPER_MAGIC { // there names are made of bytes
		out.names = int64(st.Ffree)
	}
	return out
}
