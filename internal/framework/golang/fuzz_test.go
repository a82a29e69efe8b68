package golang

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
)

// What tests note of what they loaded is written by the tests: paths in it lead
// nowhere but where they say, and nothing of the tree is named by one outside of it.
func FuzzLoads(f *testing.F) {
	root := f.TempDir()
	for _, text := range []string{`{"a":"ROOT/a.py","b":"/etc/passwd"}`, `{"Dir":"ROOT/a","GoFiles":["a.go","../../x"]}`, `{"python":"x","found":{"a":"ROOT/../b/__init__.py"}}`, "null"} {
		f.Add([]byte(text))
	}
	d := adapter.Detection{Tools: adapter.Tools{Program: []string{"go", "test"}}}
	f.Fuzz(func(t *testing.T, text []byte) {
		data := []byte(strings.ReplaceAll(string(text), "ROOT", root))
		l := readGoList(root, d, [][]byte{data})
		for _, name := range append(l.Loaded, l.Compiled...) {
			if !filepath.IsLocal(filepath.FromSlash(name)) {
				t.Errorf("%s names %q as part of the tree", text, name)
			}
		}
		if _, err := json.Marshal(l); err != nil {
			t.Error(err)
		}
	})
}
