package javascript

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

// TestLocateAva: AVA names no file where one runs, and two may have the same title.
func TestLocateAva(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"test/a.test.js", "test/b.test.js"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("import test from 'ava';\ntest('same', t => t.pass());\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		selected []adapter.Selected
		title    string
		file     string
		line     int
	}{
		"all":           {nil, "b › same", "test/b.test.js", 2},
		"one selected":  {[]adapter.Selected{{File: "test/b.test.js", Name: "same"}}, "same", "test/b.test.js", 2},
		"either of two": {[]adapter.Selected{{File: "test/a.test.js", Name: "same"}, {File: "test/b.test.js", Name: "same"}}, "same", "", 0},
	} {
		cases := []qa.Case{{Name: tc.title, Status: qa.Passed}}
		Ava.Located(dir, adapter.Detection{}, tc.selected, cases)
		if c := cases[0]; c.Name != "same" || c.File != tc.file || c.Line != tc.line {
			t.Errorf("%s: %q in %q, line %d", name, c.Name, c.File, c.Line)
		}
	}
}
