package executor

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

type plainTree struct {
	Tree
	dir string
}

func (p plainTree) Dir() string { return p.dir }

func TestWhatBaseLacks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a/a.test.js", "b/b.js", "b/node_modules/x/x.test.js", "c/checks/odd.js"} {
		at := filepath.Join(dir, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		assert.NilError(t, os.WriteFile(at, nil, 0o644))
	}
	for _, c := range []struct{ dir, file, want string }{
		{"new", "new/a.test.js", "such package"},
		{"a", "a/b.test.js", ""},
		{"b", "b/b.test.js", "tests in this package"},
		{"b", "", ""},
		{"c", "c/checks/odd.js", ""}, // named in a way that nobody knows here
	} {
		target := Target{Name: c.dir, Framework: adapter.Detection{Framework: "vitest", Dir: c.dir}}
		assert.Equal(t, lacks(plainTree{dir: dir}, target, []qa.Case{{Name: "x", File: c.file}}), c.want, c.dir)
	}
}
