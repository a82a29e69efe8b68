package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/output"
)

// What stands in a session's files may be anything after a kill, or in one that
// was brought along: it is refused or gone on with, and never ends the program.
func FuzzSession(f *testing.F) {
	top := f.TempDir()
	s, err := Create(output.At(filepath.Join(top, "made")), testSpec())
	if err != nil {
		f.Fatal(err)
	}
	if err := s.Close(); err != nil {
		f.Fatal(err)
	}
	names := []string{"session.json", "tasks.csv", "gc-state.json", "shared-memory.json", "messages.ndjson", "discoveries.ndjson", "wave-1.csv", "resume/SCOUT-001.json"}
	for i, name := range names {
		raw, _ := os.ReadFile(filepath.Join(s.Dir(), filepath.FromSlash(name))) // the last two are not there yet
		f.Add(uint8(i), raw)
	}
	f.Add(uint8(0), []byte("null"))
	f.Add(uint8(2), []byte(`{"rounds":[{"round":-1}],"max":0}`))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		out := t.TempDir()
		if err := os.CopyFS(filepath.Join(out, s.ID()), os.DirFS(s.Dir())); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(out, s.ID(), filepath.FromSlash(names[int(which)%len(names)]))
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := List(output.At(out)); err != nil {
			t.Errorf("one session keeps the others from being listed: %v", err)
		}
		_, _ = Look(output.At(out), s.ID(), noon, 0)
		again, err := Resume(output.At(out), s.ID(), testKey, at(noon))
		if err != nil {
			return
		}
		var kept struct{}
		_ = again.Kept("SCOUT-001", "", &kept)
		_, _ = again.Memory.Recall("findings", &kept)
		_, _ = again.Board.Entries()
		if len(again.Tasks()) == 0 {
			t.Error("gone on with without a task")
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
