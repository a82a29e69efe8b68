package mode

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/scan"
)

func TestTheSecondScanSeesWhatWasWritten(t *testing.T) {
	t.Parallel()
	r := &run{Deps: Deps{Checkout: checkout.Checkout{Root: t.TempDir(), Change: qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Status: qa.Modified}}}}}}
	for name, text := range map[string]string{"a.go": "package a\n", "a_test.go": "package a\n\nfunc TestA() {}\n"} {
		if err := os.WriteFile(filepath.Join(r.Root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.written = map[string]string{"a_test.go": "package a\n\nfunc TestA() {}\n\nfunc TestB() {}\n", "b_test.go": "package a\n\nfunc TestC() {}\n"}
	want := []qa.FileChange{
		{Path: "a.go", Kind: qa.KindSource, Status: qa.Modified},
		{Path: "a_test.go", Kind: qa.KindTest, Language: "go", Status: qa.Modified, Added: []qa.Range{{Start: 4, End: 5}}},
		{Path: "b_test.go", Kind: qa.KindTest, Language: "go", Status: qa.Added, Added: []qa.Range{{Start: 1, End: 3}}},
	}
	if d := cmp.Diff(want, r.withWritten()); d != "" {
		t.Error(d)
	}
	dir, err := r.asWritten()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for name, want := range map[string]string{"a.go": "package a\n", "a_test.go": r.written["a_test.go"], "b_test.go": r.written["b_test.go"]} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestWhatTheSecondScanFindsInOurTestsCounts(t *testing.T) {
	t.Parallel()
	finding := func(path, print string) qa.Finding {
		return qa.Finding{Path: path, Fingerprint: print, Status: qa.StatusNew, Evidence: qa.Corroborated}
	}
	first := []qa.Finding{finding("a.go", "111111"), finding("a.go", "222222")}
	r := &run{
		scan:       &scan.Result{Findings: first},
		regression: &scan.Result{Findings: []qa.Finding{first[0], finding("a_test.go", "333333"), finding("a.go", "444444")}},
		written:    map[string]string{"a_test.go": "package a\n"},
	}
	got := r.prove(slices.Clone(first))
	if len(got) != 3 || got[2].ID != "RESCAN-333333" || !got[2].Counts() {
		t.Errorf("got %+v", got)
	}
	if got, want := r.sinceFirst(*r.regression), "with the kept tests in place: 2 new, 1 fixed, 1 persisting findings of the engines"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestMutantsAreRememberedUntilATestChanges(t *testing.T) {
	t.Parallel()
	fresh := func(root, dir string) *run {
		return &run{Deps: Deps{Checkout: checkout.Checkout{Root: root}, Output: output.At(dir)}, base: baseline.Over(&baseline.Baseline{}), code: related.New(checkout.Checkout{Root: root})}
	}
	r := fresh(t.TempDir(), t.TempDir())
	if got := mutation.Recall(r.Output, r.testsDigest()); len(got) > 0 {
		t.Errorf("knows %v before the first run", got)
	}
	if err := (mutation.Known{"1": mutation.Killed, "2": mutation.Survived}).Keep(r.Output, r.testsDigest()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(mutation.Known{"1": mutation.Killed, "2": mutation.Survived}, mutation.Recall(r.Output, r.testsDigest())); d != "" {
		t.Error(d)
	}
	// Go's reports do not name files: a new one must be noticed all the same.
	if err := os.WriteFile(filepath.Join(r.Root, "a_test.go"), []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := mutation.Recall(r.Output, fresh(r.Root, r.Output.Path()).testsDigest()); len(got) > 0 {
		t.Errorf("knows %v although a test was added", got)
	}
	for name, text := range map[string]string{"other tests": `{"tests":"x","mutants":{"1":"Killed"}}`, "no JSON": "{", "no mutants": `{"tests":"` + r.testsDigest() + `"}`} {
		if err := os.WriteFile(filepath.Join(r.Output.Path(), "mutants.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := mutation.Recall(r.Output, r.testsDigest()); got == nil || len(got) > 0 {
			t.Errorf("%s: knows %v", name, got)
		}
	}
}

func TestWhatTheSecondScanDidNotSeeIsSaid(t *testing.T) {
	t.Parallel()
	first := []qa.Engine{{Name: "ruff", State: "ran", Findings: 2}, {Name: "gosec", State: "missing", Gap: "1 Go file"}, {Name: "secrets", State: "ran"}}
	r := &run{}
	if d := cmp.Diff(first, r.bothTimes(first)); d != "" {
		t.Error(d)
	}
	r.regression = &scan.Result{Engines: []qa.Engine{
		{Name: "ruff", State: "timeout", Reason: "stopped after 3m0s", Gap: "2 Python files"}, {Name: "gosec", State: "missing", Gap: "2 Go files"}, {Name: "secrets", State: "ran"},
	}}
	want := slices.Clone(first)
	want[0] = qa.Engine{Name: "ruff", State: "timeout", Reason: "with the kept tests in place: stopped after 3m0s", Gap: "2 Python files", Findings: 2}
	if d := cmp.Diff(want, r.bothTimes(first)); d != "" {
		t.Error(d)
	}
}
