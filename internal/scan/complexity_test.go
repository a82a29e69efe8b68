package scan

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// TestComplexityIsComparedWithBase looks at functions that move, that have no
// name, and that grow a little.
func TestComplexityIsComparedWithBase(t *testing.T) {
	t.Parallel()
	branches := func(n int) string { return strings.Repeat("  if (x) x--;\n", n) }
	for name, tc := range map[string]struct {
		base, head string
		findings   int
	}{
		"new":                      {"", "function f(x) {\n" + branches(20) + "}\n", 1},
		"as it was, moved":         {"function f(x) {\n" + branches(20) + "}\n", "// moved\n\nfunction f(x) {\n" + branches(20) + "}\n", 0},
		"anonymous, moved":         {"export default run((x) => {\n" + branches(20) + "});\n", "// moved\nexport default run((x) => {\n" + branches(20) + "});\n", 0},
		"grown by half":            {"function f(x) {\n" + branches(12) + "}\n", "function f(x) {\n" + branches(18) + "}\n", 1},
		"grown by 3 of 60":         {"function f(x) {\n" + branches(60) + "}\n", "function f(x) {\n" + branches(63) + "}\n", 0},
		"grown and still readable": {"function f(x) {\n" + branches(2) + "}\n", "function f(x) {\n" + branches(12) + "}\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := changed(t, "a.js", tc.head, qa.Range{Start: 1, End: 200})
			req.Engines = []string{"complexity"}
			req.Base = func(string) ([]byte, error) { return []byte(tc.base), nil }
			res, err := Run(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Findings) != tc.findings {
				t.Errorf("%d findings, want %d:\n%s", len(res.Findings), tc.findings, listing(res))
			}
		})
	}
}
