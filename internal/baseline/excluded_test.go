package baseline

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/targets"
)

// No test can be asked of a file that the toolchain leaves out, and nobody may say that
// its mutants live: what go list said of the package tells, else what the file says.
func TestFilesThatTheToolchainLeavesOut(t *testing.T) {
	t.Parallel()
	other := "windows"
	if runtime.GOOS == other {
		other = "linux"
	}
	target := executor.Target{Name: ".", Framework: adapter.Detection{Dir: ".", Framework: "gotest"}}
	of := func(compiled ...string) *Baseline {
		return &Baseline{
			Found: targets.Found{Targets: []executor.Target{target}},
			Runs:  []executor.Baseline{{Target: target, Head: executor.Run{Seen: executor.Seen{Compiled: compiled}}}},
		}
	}
	listed, silent := of("a.go", "a_test.go", "tagged.go"), of()
	for _, c := range []struct {
		b              *Baseline
		file, src, why string
	}{
		{listed, "a.go", "package a", ""},
		{listed, "tagged.go", "//go:build special\n\npackage a", ""}, // the test command gives the tag
		{listed, "old.go", "//go:build !go1.18\n\npackage a", "other platform: !go1.18"},
		{listed, "older.go", "// Of another time.\n\n// +build ignore\n\npackage main", "custom tag: ignore"},
		{listed, "a_" + other + ".go", "package a", "other platform: " + other},
		{listed, "gen.go", "//go:build ignore\n\npackage main", "custom tag: ignore"},
		{listed, "bound.go", "package a\n\nimport \"C\"\n", "go list leaves it out of its package"},
		{listed, "broken.go", "packag a", ""},
		{listed, "sub/b.go", "package b", ""}, // of a package that nobody listed
		{listed, "sub/c.go", "//go:build special\n\npackage b", "custom tag: special"},
		{listed, "a.py", "x = 1", ""},
		{silent, "a.go", "package a", ""},
		{silent, "bound.go", "//go:build special\n\npackage a", ""},
		{silent, "a_" + other + ".go", "package a", "other platform: " + other},
	} {
		assert.Equal(t, Excluded(c.b, c.file, []byte(c.src)), c.why, "%s: %s", c.file, c.src)
	}

	files := []qa.FileChange{
		{Path: "a.go", Status: qa.Modified, Kind: qa.KindSource, Language: "go"},
		{Path: "a_" + other + ".go", Status: qa.Modified, Kind: qa.KindSource, Language: "go"},
	}
	root := t.TempDir()
	for _, f := range files {
		assert.NilError(t, os.WriteFile(filepath.Join(root, f.Path), []byte("package a\n"), 0o600))
	}
	c := checkout.Checkout{Root: root, Change: qa.Change{Files: files}}
	exclude(listed, c, ".")
	assert.DeepEqual(t, listed.NotDone(qa.Change{}), []string{"a_" + other + ".go was not tried (other platform: " + other + ")"})
	account := listed.Account(c.Change)
	assert.Equal(t, account[0].Class, qa.Compiled)
	assert.Equal(t, account[1].Class, qa.Unseen)
	assert.Equal(t, account[1].Evidence, "not part of the build here (other platform: "+other+")")
}
