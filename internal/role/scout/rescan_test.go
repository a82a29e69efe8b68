package scout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/finding"
)

func TestTheSecondScanSeesWhatWasWritten(t *testing.T) {
	t.Parallel()
	r := Scout{Checkout: checkout.Checkout{Root: t.TempDir(), Change: qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Status: qa.Modified}}}}}
	for name, text := range map[string]string{"a.go": "package a\n", "a_test.go": "package a\n\nfunc TestA() {}\n"} {
		if err := os.WriteFile(filepath.Join(r.Root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	written := map[string]string{"a_test.go": "package a\n\nfunc TestA() {}\n\nfunc TestB() {}\n", "b_test.go": "package a\n\nfunc TestC() {}\n"}
	want := []qa.FileChange{
		{Path: "a.go", Kind: qa.KindSource, Status: qa.Modified},
		{Path: "a_test.go", Kind: qa.KindTest, Language: "go", Status: qa.Modified, Added: []qa.Range{{Start: 4, End: 5}}},
		{Path: "b_test.go", Kind: qa.KindTest, Language: "go", Status: qa.Added, Added: []qa.Range{{Start: 1, End: 3}}},
	}
	if d := cmp.Diff(want, r.withWritten(written)); d != "" {
		t.Error(d)
	}
	dir, err := r.asWritten(written)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for name, want := range map[string]string{"a.go": "package a\n", "a_test.go": written["a_test.go"], "b_test.go": written["b_test.go"]} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestASecondScanIsComparedWithTheFirst(t *testing.T) {
	t.Parallel()
	found := func(path, print string) qa.Finding {
		return qa.Finding{Path: path, Fingerprint: print, Status: qa.StatusNew, Evidence: qa.Corroborated}
	}
	first := []qa.Finding{found("a.go", "111111"), found("a.go", "222222")}
	again := finding.Result{Findings: []qa.Finding{first[0], found("a_test.go", "333333"), found("a.go", "444444")}}
	if got, want := Since(&finding.Result{Findings: first}, again), "with the kept tests in place: 2 new, 1 fixed, 1 persisting findings of the engines"; got != want {
		t.Errorf("got %q", got)
	}
}
