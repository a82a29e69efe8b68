package runtime

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/runtime/toolchain"
)

// TestLacks: the machine's Python is left alone where it has what the tests name.
func TestLacks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		tests toolchain.PythonTests
		want  string // part of the reason; empty: nothing is missing
	}{
		"nothing asked for":        {nil, toolchain.PythonTests{}, ""},
		"a distribution is there":  {nil, toolchain.PythonTests{Names: []string{"pip"}}, ""},
		"one is missing":           {nil, toolchain.PythonTests{Names: []string{"pip", "nobody-has-this"}}, `"nobody-has-this" is not installed`},
		"another copy":             {nil, toolchain.PythonTests{Project: "pip", Builds: true}, `another copy of "pip"`},
		"modules below src":        {map[string]string{"src/a.py": ""}, toolchain.PythonTests{Project: "a", Builds: true}, `"a" is not installed`},
		"modules at the root":      {map[string]string{"a.py": ""}, toolchain.PythonTests{Project: "a", Builds: true}, ""},
		"src, and nothing to make": {map[string]string{"src/a.py": ""}, toolchain.PythonTests{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			put(t, root, c.files)
			put(t, root, map[string]string{"tests/test_a.py": ""})
			w := open(t, Options{Root: root, Driver: "host", Install: "never"})
			got := w.installer.lacks(t.Context(), toolchain.Install{Dir: ".", Tests: &c.tests})
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("lacks %q, want %q", got, c.want)
			}
		})
	}
}
