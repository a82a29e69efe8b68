package trials

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/related"
)

func TestMutantsAreRememberedUntilATestChanges(t *testing.T) {
	t.Parallel()
	fresh := func(root, dir string) Runner {
		return Runner{Checkout: checkout.Checkout{Root: root}, Output: output.At(dir), Code: related.New(checkout.Checkout{Root: root})}
	}
	r := fresh(t.TempDir(), t.TempDir())
	if got := mutation.Recall(r.Output, r.testsDigest(&baseline.Baseline{})); len(got) > 0 {
		t.Errorf("knows %v before the first run", got)
	}
	if err := (mutation.Known{"1": mutation.Killed, "2": mutation.Survived}).Keep(r.Output, r.testsDigest(&baseline.Baseline{})); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(mutation.Known{"1": mutation.Killed, "2": mutation.Survived}, mutation.Recall(r.Output, r.testsDigest(&baseline.Baseline{}))); d != "" {
		t.Error(d)
	}
	// Go's reports do not name files: a new one must be noticed all the same.
	if err := os.WriteFile(filepath.Join(r.Root, "a_test.go"), []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := mutation.Recall(r.Output, fresh(r.Root, r.Output.Path()).testsDigest(&baseline.Baseline{})); len(got) > 0 {
		t.Errorf("knows %v although a test was added", got)
	}
	for name, text := range map[string]string{"other tests": `{"tests":"x","mutants":{"1":"Killed"}}`, "no JSON": "{", "no mutants": `{"tests":"` + r.testsDigest(&baseline.Baseline{}) + `"}`} {
		if err := os.WriteFile(filepath.Join(r.Output.Path(), "mutants.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := mutation.Recall(r.Output, r.testsDigest(&baseline.Baseline{})); got == nil || len(got) > 0 {
			t.Errorf("%s: knows %v", name, got)
		}
	}
}
