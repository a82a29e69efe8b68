package demo

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

func TestUnpack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	p, err := Unpack(t.Context(), dir)
	assert.NilError(t, err)
	assert.Assert(t, p.Kept())
	for _, name := range []string{"go.mod", ".gitignore", "cart/shipping.go", "rates/rates_test.go", ".git/refs/heads/main", ".git/refs/heads/change"} {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		assert.NilError(t, err)
	}
	// It is the same everywhere: names, dates and contents of its commits are fixed.
	other, err := Unpack(t.Context(), "")
	assert.NilError(t, err)
	for _, branch := range []string{"main", "change"} {
		a, errA := os.ReadFile(filepath.Join(dir, ".git", "refs", "heads", branch))
		b, errB := os.ReadFile(filepath.Join(other.Dir, ".git", "refs", "heads", branch))
		assert.NilError(t, errors.Join(errA, errB))
		assert.Equal(t, string(a), string(b))
	}
	// The temporary one goes, the named one stays, whatever it is asked.
	assert.NilError(t, other.Remove())
	assert.NilError(t, p.Remove())
	_, err = os.Stat(other.Dir)
	assert.Assert(t, errors.Is(err, os.ErrNotExist), "%v", err)
	_, err = os.Stat(dir)
	assert.NilError(t, err)
}

func TestUnpackLeavesAFullFolderAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600))
	_, err := Unpack(t.Context(), dir)
	var taken TakenError
	assert.Assert(t, errors.As(err, &taken), "%v", err)
	entries, err := os.ReadDir(dir)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 1)
}

// seen is the report that the change deserves.
func seen() *qa.Report {
	r := &qa.Report{Result: qa.Fail}
	r.Tests.Head.Tests = 6
	r.Tests.Failing = []qa.FailingTest{
		{Case: qa.Case{Name: broken}, Triage: qa.NewFailure},
		{Case: qa.Case{Name: flaky}, Triage: qa.FlakyFailure},
	}
	r.Coverage.Patch = &qa.PatchCoverage{Lines: qa.Count{Covered: 10, Total: 16}}
	return r
}

func TestCheck(t *testing.T) {
	t.Parallel()
	assert.NilError(t, Check(seen()))
	for name, spoil := range map[string]func(*qa.Report){
		"green":             func(r *qa.Report) { r.Result = qa.Pass },
		"could not tell":    func(r *qa.Report) { r.Result = qa.Inconclusive },
		"another failure":   func(r *qa.Report) { r.Tests.Failing = append(r.Tests.Failing, qa.FailingTest{}) },
		"not repeated":      func(r *qa.Report) { r.Tests.Failing[1].Triage = qa.NewFailure },
		"on base as well":   func(r *qa.Report) { r.Tests.Failing[0].Triage = qa.PreExisting },
		"a test is missing": func(r *qa.Report) { r.Tests.Head.Tests-- },
		"no coverage":       func(r *qa.Report) { r.Coverage.Patch = nil },
		"all covered":       func(r *qa.Report) { r.Coverage.Patch.Lines.Covered = 16 },
	} {
		r := seen()
		spoil(r)
		assert.Assert(t, Check(r) != nil, name)
	}
}

func TestGetenv(t *testing.T) {
	t.Parallel()
	get := Getenv(func(name string) string { return "set" })
	assert.Equal(t, get("NO_COLOR"), "set")
	for _, name := range []string{"GITHUB_ACTIONS", "INPUT_MODEL-API-KEY", "INPUT_MODE", "QA_HISTORY_DIR"} {
		assert.Equal(t, get(name), "")
	}
}
