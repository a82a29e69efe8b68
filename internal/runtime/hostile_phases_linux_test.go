package runtime

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/runtime/stage"
)

// quickPhases are those of every test run.
var quickPhases = []string{"wait_for_base.py", "hold_port.py", "system_v.py", "message_queue.py", "temporary_files.py", "home_files.py", "git_tricks.py"}

// TestHostilePhases runs every program of testdata/hostile/phases on head, and
// then on base, where it must find nothing of what it left.
func TestHostilePhases(t *testing.T) {
	programs, err := filepath.Glob(filepath.Join(hostileDir, "phases", "*.py"))
	if err != nil || len(programs) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	if os.Getenv("QA_E2E") == "" {
		programs = slices.DeleteFunc(programs, func(p string) bool { return !slices.Contains(quickPhases, filepath.Base(p)) })
	}
	for _, layers := range []string{"all layers", "no namespaces"} {
		t.Run(layers, func(t *testing.T) {
			machine := newMachine(t)
			head := open(t, machine.options())
			without(t, head, layers)
			before := machine.look(t)
			for _, program := range programs {
				t.Run(filepath.Base(program), func(t *testing.T) { machine.phases(t, head, program) })
			}
			if changed := before.Changed(machine.look(t)); changed != nil {
				t.Errorf("changed: %v", changed)
			}
		})
	}
}

func (m *machine) phases(t *testing.T, head *Workspace, program string) {
	source, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(source), "# tries: ") {
		t.Errorf("does not say what it tries")
	}
	targets, err := json.Marshal(m.targets)
	if err != nil {
		t.Fatal(err)
	}
	run := func(w *Workspace, side string) string {
		res, err := w.Run(t.Context(), Command{Argv: []string{"python3", "-c", string(source), side}, Env: []string{"TARGETS=" + string(targets)},
			Timeout: attackTime, MaxOutput: 1 << 20})
		said := string(res.Stdout) + string(res.Stderr)
		if err != nil && side == "base" && filepath.Base(program) == "move_tree.py" {
			return "held: nothing of base was run: " + err.Error()
		}
		if err != nil {
			t.Fatalf("%s: %v", side, err)
		}
		if res.TimedOut {
			t.Errorf("%s: ran until its deadline", side)
		}
		return said
	}
	said := run(head, "head")
	base, err := head.At(t.Context(), strings.TrimSpace(git(t, m.root, "rev-parse", "HEAD")))
	if err != nil {
		t.Logf("head: %s\nbase is not opened: %v", evidence(said), err)
		return
	}
	defer func() {
		if err := base.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	found := run(base, "base")
	t.Logf("head: %s\nbase: %s", evidence(said), evidence(found))
	if strings.Contains(said+found, "ESCAPED") || !strings.Contains(said, "held") || !strings.Contains(found, "held") {
		t.Errorf("head:\n%.2000s\nbase:\n%.2000s", said, found)
	}
	for _, dir := range stage.SharedDirs {
		if _, err := os.Lstat(filepath.Join(dir, "qa-from-head")); err == nil {
			t.Errorf("left in %s of this machine", dir)
		}
	}
	if _, err := head.Restore(t.Context()); err != nil {
		t.Logf("restore: %v", err)
	}
}
