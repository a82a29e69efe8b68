package tree

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/each"
)

// A file that is written to through a mapping is told from what it was, on a disk and in
// memory, where its times stay what they were.
func TestMappedWritesAreSeen(t *testing.T) {
	dirs := []string{t.TempDir()}
	if inMemory, err := os.MkdirTemp("/dev/shm", "stamps"); err == nil {
		t.Cleanup(func() { _ = os.RemoveAll(inMemory) })
		dirs = append(dirs, inMemory)
	}
	for _, dir := range dirs {
		file := filepath.Join(dir, "a.go")
		if err := os.WriteFile(file, slices.Repeat([]byte("a"), os.Getpagesize()), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		page, err := unix.Mmap(int(f.Fd()), 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		if page[0] != 'a' { // the page is there before it is written to
			t.Fatal("not what was written")
		}
		before, err := Look(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond) // a tick of the file system's clock
		page[0] = 'b'
		after, err := Look(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if changed, _ := each.Differ(before.Project, after.Project); len(changed) != 1 {
			t.Errorf("%s: changed are %q", dir, changed)
		}
		if err := unix.Munmap(page); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
