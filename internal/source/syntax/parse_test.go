package syntax

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, src, want string }{
		"unknown extension": {"a.rb", "x", `no parser for "a.rb", extensions understood are .cjs .cts .go .java .js`},
		"too large":         {"a.js", strings.Repeat(" ", maxSize+1), "at most 1048576 are read"},
		"brackets":          {"a.js", strings.Repeat("(", 5000), "nest 5000 deep"},
		"go brackets":       {"a.go", "package a; var x = " + strings.Repeat("[", 5000), "nest 5000 deep"},
		"chain":             {"a.ts", "x" + strings.Repeat(".a", maxDepth+1), "nests deeper than"},
		"go chain":          {"a.go", "package a; var x = x" + strings.Repeat(".a", 5000), "nests deeper than"},
		"python chain":      {"a.py", "x" + strings.Repeat(".a", maxDepth+1), "nests deeper than"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(tc.path, []byte(tc.src))
			assert.ErrorContains(t, err, tc.want)
		})
	}
}
