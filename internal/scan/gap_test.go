package scan

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
)

// TestAGapIsWhatNobodyLookedAt gives engines every way of not looking.
func TestAGapIsWhatNobodyLookedAt(t *testing.T) {
	t.Parallel()
	file := func(language string) *engine.File {
		return engine.NewFile(qa.FileChange{Path: "x", Language: language}, nil, nil)
	}
	py, js, ts, rb := file("python"), file("javascript"), file("typescript"), file("ruby")
	goFile := file("go")
	for name, c := range map[string]struct {
		state map[string]string
		files []*engine.File
		asked []qa.Perspective
		want  map[string]string
	}{
		"all ran":                          {map[string]string{"ruff": "ran", "secrets": "ran"}, []*engine.File{py}, nil, nil},
		"a syntax check is no linter":      {map[string]string{"ruff": "missing", "compileall": "ran"}, []*engine.File{py, py}, nil, map[string]string{"ruff": "2 Python files"}},
		"a few mistakes are no linter":     {map[string]string{"oxlint": "missing", "esbuild": "ran"}, []*engine.File{js, ts}, nil, map[string]string{"oxlint": "1 JavaScript file, 1 TypeScript file"}},
		"a word for credentials is no one": {map[string]string{"gosec": "missing", "secrets": "ran", "govet": "ran"}, []*engine.File{goFile}, nil, map[string]string{"gosec": "1 Go file"}},
		"own rules are missing, ours ran":  {map[string]string{"pylint": "missing", "ruff": "ran"}, []*engine.File{py}, nil, nil},
		"ours are missing, own rules ran":  {map[string]string{"oxlint": "missing", "eslint": "ran"}, []*engine.File{js}, nil, nil},
		"ours died, own rules ran":         {map[string]string{"oxlint": "failed", "eslint": "ran"}, []*engine.File{js}, nil, nil},
		"own rules died, ours ran":         {map[string]string{"pylint": "failed", "ruff": "ran"}, []*engine.File{py}, nil, map[string]string{"pylint": "1 Python file"}},
		"neither is there":                 {map[string]string{"oxlint": "missing", "eslint": "missing"}, []*engine.File{js}, nil, map[string]string{"eslint": "1 JavaScript file", "oxlint": "1 JavaScript file"}},
		"not configured":                   {map[string]string{"pylint": "skipped", "ruff": "ran"}, []*engine.File{py}, nil, nil},
		"out of time":                      {map[string]string{"ruff": "timeout"}, []*engine.File{py}, nil, map[string]string{"ruff": "1 Python file"}},
		"of every language":                {map[string]string{"secrets": "timeout"}, []*engine.File{rb, py}, nil, map[string]string{"secrets": "1 Python file, 1 other file"}},
		"bugs covered, security not asked": {map[string]string{"gosec": "missing", "govet": "ran"}, []*engine.File{goFile}, []qa.Perspective{qa.Bug}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := &engine.Tree{Files: c.files}
			var slots []*slot
			for _, n := range Names() {
				if c.state[n] == "" {
					continue
				}
				e, _ := engineNamed(n)
				s := &slot{engine: e, row: qa.Engine{Name: n, State: c.state[n]}}
				s.pass = &engine.Pass{Files: tr.Of(e.Languages)}
				slots = append(slots, s)
			}
			markGaps(Request{Terms: finding.Terms{Perspectives: c.asked}}, tr, slots)
			for _, s := range slots {
				if s.row.Gap != c.want[s.row.Name] {
					t.Errorf("%s: gap %q, want %q", s.row.Name, s.row.Gap, c.want[s.row.Name])
				}
			}
		})
	}
}
