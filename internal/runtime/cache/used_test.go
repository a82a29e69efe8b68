package cache

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// What a suite asked for is shown when it is compiled again, and nothing else; what
// nobody knows is shown whole.
func TestUsed(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]func(string) error{"links": nil, "names of one file": func(string) error { return nil }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, again := layers(t)
			l.Own, again.Own = own, own
			idle, idleAction, idleLine := entry("idle")
			output, action, line := entry("compiled")
			put(t, l.Upper, "go-build/"+idle, "idle")
			put(t, l.Upper, "go-build/"+idleAction, idleLine)
			promote(t, l)

			first := Layers{Lower: l.Lower, Upper: filepath.Join(t.TempDir(), "first"), Own: own}
			assert.NilError(t, first.Lay())
			noted, near, err := first.LayUsed("suite", "one", Sources{})
			assert.NilError(t, err)
			assert.Assert(t, !noted && !near)
			assert.NilError(t, first.LayBuilt())
			assert.Equal(t, content(first.Upper, "go-build/"+idle), "idle")
			put(t, first.Upper, "go-build/"+output, "compiled")
			put(t, first.Upper, "go-build/"+action, line)
			promote(t, first)
			assert.NilError(t, first.NoteUsed("suite", "one", Sources{}))

			assert.NilError(t, again.Lay())
			noted, near, err = again.LayUsed("suite", "two", Sources{})
			assert.NilError(t, err)
			assert.Assert(t, noted && !near)
			assert.Equal(t, content(again.Upper, "go-build/"+output), "compiled")
			assert.Equal(t, content(again.Upper, "go-build/"+action), line)
			assert.Equal(t, content(again.Upper, "go-build/"+idle), "-")
			assert.NilError(t, again.LayBuilt()) // what is there stays
			assert.Equal(t, content(again.Upper, "go-build/"+idle), "idle")

			// As the go command does with what it asks for.
			now := time.Now()
			assert.NilError(t, os.Chtimes(filepath.Join(again.Upper, "go-build", filepath.FromSlash(idleAction)), now, now))
			promote(t, again)
			assert.NilError(t, again.NoteUsed("suite", "two", Sources{}))
			last := Layers{Lower: l.Lower, Upper: filepath.Join(t.TempDir(), "last"), Own: own}
			assert.NilError(t, last.Lay())
			_, near, err = last.LayUsed("suite", "three", Sources{})
			assert.NilError(t, err)
			assert.Assert(t, !near)
			for rel, want := range map[string]string{output: "compiled", idle: "idle"} { // both states
				assert.Equal(t, content(last.Upper, "go-build/"+rel), want)
			}
			assert.NilError(t, os.WriteFile(filepath.Join(last.noted("suite"), "two"), []byte("../../escape 00/no"), 0o600))
			only := Layers{Lower: l.Lower, Upper: filepath.Join(t.TempDir(), "only"), Own: own}
			assert.NilError(t, only.Lay())
			_, near, err = only.LayUsed("suite", "one", Sources{})
			assert.NilError(t, err)
			assert.Assert(t, near)
			assert.Equal(t, content(only.Upper, "go-build/"+output), "compiled")
			assert.Equal(t, content(only.Upper, "go-build/"+idle), "-") // which the other asked for
			_, _, err = last.LayUsed("suite", "three", Sources{})
			assert.NilError(t, err) // what is no entry's name is none
		})
	}
}
