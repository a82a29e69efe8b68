package baseline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/checks"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/targets"
)

func suite(cases ...qa.Case) qa.Suite { return qa.Suite{Cases: cases} }

func did(name string, status qa.Status) qa.Case { return qa.Case{Name: name, Status: status} }

func ranWith(hits uint32, cases ...qa.Case) *executor.Run {
	lines := []qa.LineHit{{Line: 1, Hits: hits}, {Line: 2}}
	return &executor.Run{Suite: suite(cases...), Ending: executor.Ending{Seconds: 1}, Coverage: &qa.Coverage{
		Sources: []qa.CoverageSource{{Path: "c.info", Format: "lcov"}}, Files: []qa.FileCoverage{{Path: "a.go", Lines: lines}}}}
}

// TestPartsBecomeTheWhole: a test that lies in another part on base is neither
// removed nor new.
func TestPartsBecomeTheWhole(t *testing.T) {
	t.Parallel()
	one := executor.Baseline{Head: *ranWith(1, did("a", qa.Passed), did("moved", qa.Failed), did("later", qa.Skipped)), Base: ranWith(0, did("a", qa.Passed))}
	one.Tests = qa.Tests{Base: &qa.Tally{}, Added: []string{"moved"}, Seconds: 1, Failing: []qa.FailingTest{{Case: did("moved", qa.Failed), Triage: qa.NewFailure, Base: qa.NotRun}}}
	two := executor.Baseline{Head: *ranWith(0, did("b", qa.Passed), did("later", qa.Passed)), Base: ranWith(2, did("b", qa.Passed), did("moved", qa.Failed), did("gone", qa.Passed))}
	two.Tests = qa.Tests{Base: &qa.Tally{}, Removed: []string{"gone", "moved"}, Seconds: 1}
	got := joinParts([]executor.Baseline{one, two})
	want := qa.Tests{
		Head: qa.Tally{Tests: 4, Passed: 3, Failed: 1}, Base: &qa.Tally{Tests: 4, Passed: 3, Failed: 1},
		Cases:   []qa.Case{did("a", qa.Passed), did("moved", qa.Failed), did("later", qa.Passed), did("b", qa.Passed)},
		Failing: []qa.FailingTest{{Case: did("moved", qa.Failed), Triage: qa.PreExisting, Base: qa.Failed}},
		Removed: []string{"gone"}, Added: []string{"later"}, Seconds: 2,
	}
	if diff := cmp.Diff(want, got.Tests); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]qa.Count{{Covered: 1, Total: 2}, {Covered: 1, Total: 2}}, []qa.Count{*got.Head.Coverage.Lines, *got.Base.Coverage.Lines}); diff != "" {
		t.Error(diff)
	}
	two.Base.NotOwn = "it ran with the packages of head"
	if got := joinParts([]executor.Baseline{one, two}).Tests.Failing; got[0].Triage != qa.UnknownFailure {
		t.Errorf("what another part of base says with head's packages proves nothing: %+v", got)
	}
	two.Base.NotOwn = ""
	one.Base, one.Tests.Base, one.BaseReason = nil, nil, "no time"
	if got := joinParts([]executor.Baseline{one, two}); got.Base != nil || got.Tests.Base != nil || got.BaseReason != "no time" || got.Tests.Removed != nil {
		t.Errorf("base is known by halves: %+v", got.Tests)
	}
	two.Head.Coverage, two.Head.CoverageReason = nil, "no file"
	if got := joinParts([]executor.Baseline{one, two}); got.Head.Coverage != nil || got.Head.CoverageReason != "no file" {
		t.Errorf("coverage of half a suite: %+v", got.Head.Coverage)
	}
	two.Head.Killed = true
	if got := joinParts([]executor.Baseline{one, two}); !got.Head.Killed {
		t.Error("a part that was ended from outside is forgotten")
	}
	if diff := cmp.Diff(two.Tests, joinParts([]executor.Baseline{two}).Tests); diff != "" {
		t.Error(diff)
	}
}

// TestPartsSawTogether: what one part opened or compiled is not untouched because
// another part did not.
func TestPartsSawTogether(t *testing.T) {
	t.Parallel()
	one := executor.Run{Seen: executor.Seen{Compiled: []string{"a.go"}, Opened: []string{"a.go", "a.json"}, Unopened: []string{"b.go", "b.json", "README.md"}}}
	two := executor.Run{Seen: executor.Seen{Compiled: []string{"b.go"}, Loaded: []string{"c.js"}, Opened: []string{"b.go", "b.json"}, Unopened: []string{"a.go", "a.json", "README.md"}}}
	join := func() executor.Run {
		return joinParts([]executor.Baseline{{Head: one}, {Head: two}}).Head
	}
	want := executor.Seen{Compiled: []string{"a.go", "b.go"}, Loaded: []string{"c.js"}, Opened: []string{"a.go", "a.json", "b.go", "b.json"}, Unopened: []string{"README.md"}}
	if diff := cmp.Diff(want, join().Seen, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	two.Seen.NoReads, two.NotOwn, two.ExitOnly = "the file system keeps no access times", "with another copy", true
	if got := join(); got.Seen.NoReads == "" || got.NotOwn == "" || !got.ExitOnly {
		t.Errorf("what only the second part says is lost: %+v", got)
	}
}

// TestAMergeKnowsWhatItsShardsKnew: what speaks against a test command that the
// change wrote does so in the whole as well.
func TestAMergeKnowsWhatItsShardsKnew(t *testing.T) {
	t.Parallel()
	part := func(command string) Part {
		b := Baseline{Found: targets.Found{Also: map[string]string{"tox": "not asked for"}}, Checked: []checks.Outcome{{CheckRow: qa.CheckRow{Check: "lint"}}}, Driver: "host", Levels: []string{"x"}, Command: command}
		return Part{Summary: b.Summary()}
	}
	got := Join(Options{}, []Part{part(""), part("fails: A"), part("fails: B"), part("fails: A")})
	if got.Command != "fails: A; fails: B" {
		t.Errorf("knows of the command: %q", got.Command)
	}
	if got.Driver != "host" || len(got.Levels) != 1 || got.Also["tox"] == "" || len(got.Checked) != 1 {
		t.Errorf("lost something: %+v", got)
	}
}

// A test that ran on base in a part, and on head in none, is told of the whole: no part
// could tell.
func TestWhatNoPartRan(t *testing.T) {
	t.Parallel()
	in := func(file, name string) qa.Case { return qa.Case{File: file, Name: name, Status: qa.Passed} }
	one := executor.Baseline{Head: executor.Run{Suite: suite(in("a", "x"))}, Base: &executor.Run{Suite: suite(in("a", "x"))}}
	two := executor.Baseline{Head: executor.Run{Ending: executor.Ending{Empty: true}}, Base: &executor.Run{Suite: suite(in("b", "y"))}}
	var split Split
	split.Index, split.Of = 1, 2
	part := func(b executor.Baseline) Part {
		return Part{Summary: Summary{Split: split}, Measured: []Measurement{{Target: executor.Target{Name: ".", Framework: adapter.Detection{Framework: "gotest"}}, Baseline: b}}}
	}
	one.Tests.Base, two.Tests.Base = &qa.Tally{}, &qa.Tally{}
	for touched, said := range map[string]bool{"c": true, "b": false} {
		o := Options{Checkout: checkout.Checkout{Root: t.TempDir(), Change: qa.Change{Files: []qa.FileChange{{Path: touched}}}}, Config: new(config.Config)}
		if got := Join(o, []Part{part(two), part(one)}); strings.Contains(got.Command, "not run") != said || got.Runs[0].Head.Empty {
			t.Errorf("%s: %q", touched, got.Command)
		}
	}
	if two.Nothing(false) || one.Nothing(false) {
		t.Error("base's tests are left out")
	}
}

// A test file that the change wrote speaks for its own package alone: one at the root is
// not of all of them, nor one in a folder of packages that end in that name.
func TestUntouched(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, dir := range []string{"a", "b/a", "v2"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o750); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		file, unit string
		untouched  bool
	}{
		{"x_test.go", "example.com/m", false},
		{"x_test.go", "example.com/m/a", true},
		{"a/x_test.go", "example.com/m/a", false},
		{"a/x_test.go", "example.com/m/b/a", true},
		{"b/a/x_test.go", "example.com/m/b/a", false},
		{"gone/x_test.go", "example.com/m/gone", false},
		{"x_test.go", "example.com/m/gone", false},
		{"a/x_test.go", "example.com/m", true},
	} {
		o := Options{Checkout: checkout.Checkout{Root: root, Change: qa.Change{Files: []qa.FileChange{{Path: c.file, Kind: qa.KindTest}}}}}
		if got := o.untouched(c.unit + " > TestX"); got != c.untouched {
			t.Errorf("%s with %s: untouched %v", c.unit, c.file, got)
		}
	}
}
