package strategist

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// A function that computes what it did, and one of an example, are asked for no tests,
// unless somebody claims a defect of it; one that no test here can run never is.
func TestFocusLeavesOut(t *testing.T) {
	t.Parallel()
	file := func(path string) qa.FileChange {
		return qa.FileChange{Path: path, Kind: qa.KindSource, Status: qa.Modified, Added: []qa.Range{{Start: 2, End: 2}, {Start: 5, End: 5}}}
	}
	two := func(path string) qa.Outline {
		return qa.Outline{Path: path, Functions: []qa.Function{{Name: "moved", Lines: qa.Range{Start: 1, End: 3}}, {Name: "other", Lines: qa.Range{Start: 4, End: 6}}}}
	}
	in := Input{
		Outlines:  map[string]qa.Outline{"src/a.go": two("src/a.go"), "src/a_windows.go": two("src/a_windows.go"), "examples/a.go": two("examples/a.go"), "src/examples/a.go": two("src/examples/a.go")},
		Excluded:  func(path string) bool { return path == "src/a_windows.go" },
		Unaltered: func(string) func(string) bool { return func(symbol string) bool { return symbol == "moved" } },
	}
	for name, c := range map[string]struct {
		path, want string
		finding    bool
	}{
		"source":            {"src/a.go", "other", false},
		"with a finding":    {"src/a.go", "moved other", true},
		"example":           {"examples/a.go", "", false},
		"claimed example":   {"examples/a.go", "moved", true},
		"of another system": {"src/a_windows.go", "", true},
		"a folder so named": {"src/examples/a.go", "other", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var findings []qa.Finding
			if c.finding {
				findings = []qa.Finding{{ID: "F", Path: c.path, Lines: qa.Range{Start: 2, End: 2}, Severity: qa.High, Perspectives: []qa.Perspective{qa.Bug}}}
			}
			var got []string
			for _, f := range focus(in, []qa.FileChange{file(c.path)}, findings) {
				got = append(got, f.Symbol)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("in focus: %v, want %s", got, c.want)
			}
		})
	}
}
