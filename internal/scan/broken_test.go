package scan

import (
	"io/fs"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/scan/javascript"
)

// broken scans one modified file and gives the status of what says that it does
// not parse or compile, by line.
func broken(t *testing.T, engines []string, file qa.FileChange, base, head string) map[int]qa.FindingStatus {
	t.Helper()
	root := t.TempDir()
	write(t, root, file.Path, head)
	write(t, root, "go.mod", "module example.com/a\n\ngo 1.24\n")
	req := request(t, root)
	kept := req.Change.Files[:0]
	for _, f := range req.Change.Files {
		if f.Path == file.Path {
			file.Kind, file.Language = f.Kind, f.Language
			kept = append(kept, file)
		}
	}
	req.Change.Files, req.Engines = kept, engines
	req.Base = func(p string) ([]byte, error) {
		if p == file.BasePath() {
			return []byte(base), nil
		}
		return nil, fs.ErrNotExist
	}
	req.ToolPath = func(name string) (string, error) {
		if name == "ruff" {
			return "", process.ErrNotFound // where it is, it takes compileall's place
		}
		return process.LookPath(name)
	}
	res, err := Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Engines {
		if e.State != "ran" {
			t.Fatalf("%+v", e)
		}
	}
	out := map[int]qa.FindingStatus{}
	for _, f := range res.Findings {
		out[f.Lines.Start] = f.Status
	}
	return out
}

// TestAFileThatNoLongerParsesIsNew: the parser stumbles far below the line that
// the change wrote, or where somebody dismissed something else.
func TestAFileThatNoLongerParsesIsNew(t *testing.T) {
	t.Parallel()
	edited := func(path string, line int) qa.FileChange {
		return qa.FileChange{Path: path, Status: qa.Modified, Added: []qa.Range{{Start: line, End: line}}}
	}
	type lines = map[int]qa.FindingStatus
	for name, c := range map[string]struct {
		engine     string
		program    string
		file       qa.FileChange
		base, head string
		want       lines
	}{
		"JavaScript, a quote opened above": {"esbuild", "", edited("a.js", 1), "const a = `x`;\nconst b = 1;\nconst c = `y`;\nf(b);\n", "const a = `x;\nconst b = 1;\nconst c = `y`;\nf(b);\n", lines{3: qa.StatusNew}},
		"JavaScript, dismissed by line":    {"esbuild", "", edited("a.js", 1), "if (a) {\n  f();\n}\n// qa:ignore esbuild/syntax it is a template\n", "if (a) {{\n  f();\n}\n// qa:ignore esbuild/syntax it is a template\n", lines{4: qa.StatusNew}},
		"JavaScript, broken on both sides": {"esbuild", "", edited("a.js", 1), "const a = ;\nconst b = ;\n", "const a = 1;\nconst b = ;\n", lines{2: qa.StatusKnown}},
		"JavaScript, renamed":              {"esbuild", "", qa.FileChange{Path: "new/a.js", OldPath: "a.js", Status: qa.Renamed, Gaps: []int{1}}, "f(\n);\ng();\n", "f(\ng();\n", lines{2: qa.StatusNew}},
		"TypeScript, repaired elsewhere":   {"esbuild", "", edited("a.ts", 2), "let a: number = 1\n\n", "let a: number = 1\nlet b = 2\n", lines{}},
		"Python, a bracket opened above":   {"compileall", "python3", edited("a.py", 2), "def f():\n    x = [1]\n    return x\n\ny = f()\n", "def f():\n    x = 1]\n    return x\n\ny = f()\n", lines{2: qa.StatusNew}},
		"Python, a body taken away":        {"compileall", "python3", qa.FileChange{Path: "a.py", Status: qa.Modified, Gaps: []int{1}, Removed: 1}, "if True:\n    pass\n\nx = 1\n", "if True:\n\nx = 1\n", lines{3: qa.StatusNew}},
		"Python, broken on both sides":     {"compileall", "python3", edited("a.py", 1), "x = 1\ny = (\n", "x = 2\ny = (\n", lines{2: qa.StatusKnown}},
		"Go, a use below the change":       {"govet", "go", edited("a.go", 3), "package a\n\nfunc f(n int) int { return n }\n\nvar _ = f(1)\n", "package a\n\nfunc f(n string) string { return n }\n\nvar _ = f(1)\n", lines{5: qa.StatusNew}},
		"Go, a bracket opened above":       {"govet", "go", edited("a.go", 3), "package a\n\nvar a = 1\n\nfunc f() {}\n", "package a\n\nvar a = (1\n\nfunc f() {}\n", lines{3: qa.StatusNew}},
		"Go, did not compile before":       {"govet", "go", edited("a.go", 5), "package a\n\nvar a = missing\n\nvar b = 1\n", "package a\n\nvar a = missing\n\nvar b = 2\n", lines{3: qa.StatusKnown}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.program != "" {
				if _, err := exec.LookPath(c.program); err != nil {
					t.Skip(err)
				}
			}
			if d := cmp.Diff(c.want, broken(t, []string{c.engine}, c.file, c.base, c.head)); d != "" {
				t.Error(d)
			}
		})
	}
}

// An engine that cannot be run over base may only say that it is not set up for
// the file: its word counts where a parser says the same.
func TestAParserConfirmsWhatAnEngineSaysOfAFile(t *testing.T) {
	t.Parallel()
	const good, bad = "f(1);\ng(2);\n", "f(1;\ng(2);\n"
	for name, c := range map[string]struct {
		base, head string
		want       qa.FindingStatus
	}{
		"no longer parses":       {good, bad, qa.StatusNew},
		"parses well":            {good, "f(2);\ng(2);\n", qa.StatusKnown},
		"parsed on neither side": {"f(;\ng(2);\n", bad, qa.StatusKnown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := changed(t, "a.js", c.head, qa.Range{Start: 1, End: 1})
			req.Base = func(string) ([]byte, error) { return []byte(c.base), nil }
			req = req.withDefaults()
			tr, err := engine.Load(req.Subject)
			if err != nil {
				t.Fatal(err)
			}
			s := &slot{engine: javascript.ESLint, row: qa.Engine{State: "ran"}, hits: []finding.Reported{{Own: true, Hit: engine.Hit{Engine: "eslint", Rule: "eslint/syntax", Path: "a.js", Lines: qa.Range{Start: 2, End: 2}, Message: "Parsing error"}}}}
			markBase(t.Context(), req, tr, []*slot{s})
			if got := one(t, judged(t, req, s.hits...)).Status; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestLaidOut: base's text is found again by the path from the root and by the one from
// the checkout; the go command prints the shorter of both, which the temporary directory's
// name decides.
func TestLaidOut(t *testing.T) {
	t.Parallel()
	r := Request{}
	r.ExecRoot = "/long/path/of/tmp/tree"
	r.Change.Files = []qa.FileChange{{Path: "new/b.go", OldPath: "b.go", Status: qa.Renamed}}
	for printed, want := range map[string]string{
		"/long/path/of/tmp/qa-base-X/base/a.go": "a.go", "../qa-base-X/base/in/a.go": "in/a.go", "../qa-base-X/base/b.go": "new/b.go",
		"a.go": "", "../other/base/a.go": "", "/long/path/of/tmp/qa-base-X/overlay.json": "",
	} {
		got, ok := r.laidOut("/long/path/of/tmp/qa-base-X", printed)
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", printed, got, ok, want)
		}
	}
}
