package session

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/org/qa-action/internal/rooted"
)

// BusyError says that another process writes the session.
type BusyError struct {
	Dir    string
	Holder string // what it wrote about itself
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("session %s is being written by another process (%s); wait for it or start a new session", e.Dir, e.Holder)
}

// acquire takes the session's lock. The kernel gives it free when its holder
// ends, however that happens, so a lock file that is merely there means
// nothing.
func (d *disk) acquire() (*os.File, error) {
	f, err := d.root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock session: %w", err)
	}
	if err := flock(f); err != nil {
		holder := make([]byte, 200)
		n, _ := f.ReadAt(holder, 0)
		_ = f.Close()
		if errors.Is(err, errLocked) {
			return nil, &BusyError{Dir: d.dir, Holder: strings.TrimSpace(string(holder[:n]))}
		}
		return nil, fmt.Errorf("lock session: %w", err)
	}
	// The content is for people only.
	if err = f.Truncate(0); err == nil {
		_, err = fmt.Fprintf(f, "process %d\n", os.Getpid())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock session: %w", err), f.Close())
	}
	return f, nil
}

// flock tries for a moment: a program that is just being started holds copies
// of our files until it runs.
func flock(f *os.File) error {
	const tries, pause = 20, 10 * time.Millisecond
	for n := 1; ; n++ {
		err := lock(f)
		if !errors.Is(err, errLocked) || n == tries {
			return err
		}
		time.Sleep(pause)
	}
}

// held reports whether a process writes the session right now.
func (d *disk) held() bool {
	f, _, err := rooted.Open(d.root, lockFile)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return errors.Is(look(f), errLocked)
}
