package python

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
)

// What tests note of what they loaded is written by the tests: paths in it lead
// nowhere but where they say, and nothing of the tree is named by one outside of it.
func FuzzPytestLoads(f *testing.F) {
	root := f.TempDir()
	for _, text := range []string{`{"a":"ROOT/a.py","b":"/etc/passwd"}`, `{"Dir":"ROOT/a","GoFiles":["a.go","../../x"]}`, `{"python":"x","found":{"a":"ROOT/../b/__init__.py"}}`, "null",
		`{"units":["t.py"],"files":{"ROOT/a.py":{"t.py":[1]}},"tests":{"t.py":{"names":["a"],"entered":{"ROOT/a.py":[[1,0,1]],"/etc/passwd":[[1,0,9]]}}}}`} {
		f.Add([]byte(text))
	}
	d := adapter.Detection{Tools: adapter.Tools{Program: []string{"python3", "-m", "pytest"}}}
	f.Fuzz(func(t *testing.T, text []byte) {
		data := []byte(strings.ReplaceAll(string(text), "ROOT", root))
		l := tracePytest.Read(root, d, [][]byte{data})
		for _, name := range append(l.Loaded, l.Compiled...) {
			if !filepath.IsLocal(filepath.FromSlash(name)) {
				t.Errorf("%s names %q as part of the tree", text, name)
			}
		}
		if l.Executed != nil {
			for unit, tests := range l.Executed.Tests {
				for name := range tests.Entered {
					if !tests.Sound() || !filepath.IsLocal(filepath.FromSlash(name)) {
						t.Errorf("%s says of %q in %s what cannot be", text, name, unit)
					}
				}
			}
		}
		if _, err := json.Marshal(l); err != nil {
			t.Error(err)
		}
	})
}
