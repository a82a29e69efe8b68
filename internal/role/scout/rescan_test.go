package scout

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/runtime"
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
}

// TestTheSecondScanIsInTheRepository: an engine that needs the module, or the
// repository's own rules, finds both beside what was written, as the first scan did.
func TestTheSecondScanIsInTheRepository(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	head := "package a\n\nimport \"testing\"\n"
	for name, text := range map[string]string{"go.mod": "module example.com/a\n\ngo 1.24\n", "a.go": "package a\n", "a_test.go": head} {
		assert.NilError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	change := qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Language: "go", Status: qa.Modified}}}
	place := engines{true, root}
	in := checkout.Checkout{Root: root, Change: change}
	s := Scout{Checkout: in, Code: related.New(in), Config: &config.Config{}, Now: time.Now, Copies: place}
	w, err := place.Open(t.Context())
	assert.NilError(t, err)
	defer func() { _ = w.Close() }()
	s.Copies = opened{w}
	wrong := head + "\nfunc TestA(t *testing.T) { t.Errorf(\"%d\", \"x\") }\n"
	assert.NilError(t, os.WriteFile(filepath.Join(w.Dir(), "a_test.go"), []byte(wrong), 0o600))

	res, err := s.Rescan(t.Context(), map[string]string{"a_test.go": wrong})
	assert.NilError(t, err)
	i := slices.IndexFunc(res.Engines, func(e qa.Engine) bool { return e.Name == "govet" })
	assert.Equal(t, res.Engines[i].State, "ran", res.Engines[i].Reason)
	i = slices.IndexFunc(res.Findings, func(f qa.Finding) bool { return f.Rule.ID == "govet/printf" })
	assert.Assert(t, i >= 0 && res.Findings[i].Status == qa.StatusNew && res.Findings[i].Lines.Start == 5, "%+v", res.Findings)
}

// opened has programs run in a workspace that is there.
type opened struct{ w *runtime.Workspace }

func (o opened) Open(context.Context) (*runtime.Workspace, error) { return o.w, nil }

func (o opened) Exec(ctx context.Context, c process.Command) (process.Result, error) {
	dir, err := filepath.Rel(o.w.Dir(), c.Dir)
	if err != nil {
		return process.Result{}, err
	}
	return o.w.Run(ctx, runtime.Command{Argv: c.Argv, Dir: filepath.ToSlash(dir), Env: c.Env, Timeout: c.Timeout, MaxOutput: c.MaxOutput})
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
