package javascript

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
)

// TestBareSelection: what a script gives a file stays behind it, and several files are
// for node's runner.
func TestBareSelection(t *testing.T) {
	t.Parallel()
	d := adapter.Detection{Tools: adapter.Tools{Program: []string{"node", "--conditions", "development"}, Args: []string{"test/index.js", "--fast", "x"}}}
	for files, want := range map[string]string{
		"":                              "test/index.js --fast x",
		"test/a.test.js":                "test/a.test.js --fast x",
		"test/a.test.js test/b.test.js": "--test test/a.test.js test/b.test.js",
	} {
		var tests []adapter.Selected
		for f := range strings.FieldsSeq(files) {
			tests = append(tests, adapter.Selected{File: f})
		}
		if files == "" {
			tests = []adapter.Selected{{File: ""}}
		}
		if got := strings.Join(nodeSelect(d, tests), " "); got != want {
			t.Errorf("%q: %s, expected %s", files, got, want)
		}
	}
}
