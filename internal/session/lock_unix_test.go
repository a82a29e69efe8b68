//go:build unix

package session

import (
	"syscall"
	"testing"
	"time"

	"github.com/org/qa-action/internal/output"
)

// A program that is just being started has a copy of every open file until it
// runs: the session that we closed is nobody's all the same.
func TestClosedIsFreeAlthoughACopyIsOpen(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	s := mustCreate(t, out)
	duplicate, err := syscall.Dup(int(s.lock.Fd()))
	check(t, err)
	defer func() { _ = syscall.Close(duplicate) }()
	check(t, s.Close())
	v, err := Look(output.At(out), s.ID(), noon.Add(time.Hour), 0)
	check(t, err)
	if v.Alive {
		t.Error("a closed session counts as written")
	}
}
