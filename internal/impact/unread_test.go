package impact

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
)

// A file is mentioned where code that was opened has its name; of very many changed files
// each may be.
func TestMentioned(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"a.test.js": "stat('docs/one.md')\n", "notes.txt": "two.md\n", "setup.py": "open('three.md')\n"} {
		assert.NilError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	opened := []string{"a.test.js", "gone.js", "notes.txt", "setup.py"}
	change := qa.Change{}
	for _, name := range []string{"docs/one.md", "two.md", "three.md", "a.test.js"} {
		change.Files = append(change.Files, qa.FileChange{Path: name, Status: qa.Modified})
	}
	mentioned := mentions(checkout.Checkout{Root: root, Change: change}, opened)
	for name, want := range map[string]bool{"docs/one.md": true, "two.md": false, "three.md": false} {
		assert.Equal(t, mentioned(name), want, name)
	}
	for i := range mostNames {
		change.Files = append(change.Files, qa.FileChange{Path: fmt.Sprintf("docs/%d.md", i), Status: qa.Modified})
	}
	assert.Assert(t, mentions(checkout.Checkout{Root: root, Change: change}, opened)("two.md"))
}
