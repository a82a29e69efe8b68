package tree

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"
)

// Of installed packages only who asks for them gets stamps: they are many times the
// files of the project.
func TestLookPassesOverPackages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.js", "node_modules/x/index.js"} {
		file := filepath.Join(dir, name)
		assert.NilError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		assert.NilError(t, os.WriteFile(file, []byte("x"), 0o600))
	}
	for _, packages := range []map[string]Stamp{nil, {}} {
		s, err := look(dir, nil, packages)
		assert.NilError(t, err)
		_, project := s.Project["a.js"]
		_, installed := s.packages["node_modules/x/index.js"]
		assert.Check(t, cmp.DeepEqual([]any{len(s.Project), project, installed}, []any{1, true, packages != nil}))
	}
}
