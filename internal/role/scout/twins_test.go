package scout

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// TestOneEditOfManyFiles: a name that became another in many files is asked about in the one
// with most of it, which names the others; one of which more became otherwise is shown
// itself. What was not looked at in the first was not looked at in the others.
func TestOneEditOfManyFiles(t *testing.T) {
	t.Parallel()
	const was = "from legacy_store import load\n\n\ndef %s(n):\n    return load(n, %d)\n"
	root, before := t.TempDir(), map[string]string{}
	var change qa.Change
	change.Base = "base"
	for i, name := range []string{"one", "two", "three", "four"} {
		file, text := name+".py", fmt.Sprintf(was, name, i)
		before[file] = text
		now := strings.ReplaceAll(text, "legacy_store", "modern_store")
		added := []qa.Range{{Start: 1, End: 1}}
		if name == "four" {
			now, added = strings.Replace(now, "n, 3", "n, 4", 1), []qa.Range{{Start: 1, End: 1}, {Start: 5, End: 5}}
		}
		assert.NilError(t, os.WriteFile(filepath.Join(root, file), []byte(now), 0o600))
		change.Files = append(change.Files, qa.FileChange{Path: file, Kind: qa.KindSource, Status: qa.Modified, Added: added})
	}
	in := checkout.Checkout{Root: root, Change: change, Content: func(_ context.Context, _, path string) ([]byte, error) { return []byte(before[path]), nil }}
	s := Scout{Checkout: in, Code: related.New(in)}
	var files []shownFile
	for _, f := range change.Files {
		src, err := in.Read(f.Path)
		assert.NilError(t, err)
		side, _ := s.Code.Side(t.Context(), f, src)
		files = append(files, shownFile{Side: side})
	}
	shown, twins := s.once(t.Context(), files)
	assert.Equal(t, len(shown), 2)
	assert.Equal(t, shown[0].Path+" "+shown[1].Path, "one.py four.py")
	assert.DeepEqual(t, twins, map[string]string{"two.py": "one.py", "three.py": "one.py"})
	text, err := render("material.md", nil)
	assert.NilError(t, err)
	assert.Equal(t, strings.TrimSpace(text), "")
	var asked strings.Builder
	assert.NilError(t, templates.ExecuteTemplate(&asked, "material", map[string]any{"Files": shown, "Said": "", "Tested": "", "Untested": ""}))
	assert.Assert(t, strings.Contains(asked.String(), "\nThe same edit, and nothing else, stands in two.py, three.py.\n"), asked.String())

	none := unseen{}
	assert.DeepEqual(t, none.alike(twins), twins)
	cut := unseen{"one.py": "the token budget does not suffice"}
	assert.Equal(t, len(cut.alike(twins)), 0)
	assert.Equal(t, len(cut), 3)

	files[1].Instructions = "Look at the second one." // asked about by itself
	shown, twins = s.once(t.Context(), files)
	assert.Equal(t, len(shown)+len(twins), 4)
	assert.Equal(t, len(twins), 0)
}
