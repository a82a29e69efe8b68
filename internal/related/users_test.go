package related

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
)

// code is that of a checkout of the given files.
func code(t *testing.T, files map[string]string, change qa.Change) *Code {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		to := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return New(checkout.Checkout{Root: root, Change: change})
}

const links = `export class LinkError extends Error {}

const LINK = /<(.*)>/g
const UNITS = {
  KB: 1024,
  MB: 1024 * 1000,
}

function unquote(text) {
  return text.slice(1, -1)
}

function read(header) {
  return [...header.matchAll(LINK)].map((m) => unquote(m[1]))
}

export function parse(header) {
  return read(header)
}

export function size(text) {
  return Number(text) * UNITS.KB
}

const nobody = 1
`

func TestUsersOfLinesOutsideOfFunctions(t *testing.T) {
	t.Parallel()
	const python = "LIMIT = 10\n\n\nclass Pager:\n    size = 20\n    \"\"\"how many\"\"\"\n\n    def page(self, n):\n        return n * self.size\n\n    def all(self):\n        return LIMIT\n\n\ndef other():\n    return 1\n"
	const golang = "package a\n\nconst (\n\tfirst = iota\n\tsecond\n)\n\nvar names = map[int]string{\n\tfirst: \"one\",\n}\n\nfunc Name(n int) string { return names[n] }\n\nfunc Is(n int) bool { return n == second }\n"
	const state = "package a\n\nvar limit = 3\n"
	const uses = "package a\n\nfunc Full(n int) bool { return n > limit }\n"
	const tables = "module.exports = {\n  MAX: 1,\n\n  WORDS: {\n    __proto__: null,\n    one: 1\n  },\n\n  glob(n) {\n    return n;\n  }\n};\n"
	const parse = "const { WORDS } = require('./tables');\n\nfunction parse(text) {\n  return WORDS[text] || text;\n}\n\nfunction none() {\n  return 1;\n}\n"
	c := code(t, map[string]string{"links.js": links, "pager.py": python, "name.go": golang, "state.go": state, "uses.go": uses, "tables.js": tables, "parse.js": parse},
		qa.Change{Files: []qa.FileChange{{Path: "links.js", Kind: qa.KindSource, Added: []qa.Range{{Start: 18, End: 18}}}}})
	for name, want := range map[string]struct {
		path string
		line int
		want string
	}{
		"a constant":               {"links.js", 3, "read"},
		"a row of a table":         {"links.js", 6, "size"},
		"its last line":            {"links.js", 7, "size"},
		"a class that nobody uses": {"links.js", 1, "parse"},
		"a constant nobody uses":   {"links.js", 25, "parse"},
		"within a function":        {"links.js", 10, ""},
		"a constant of a module":   {"pager.py", 1, "Pager.all"},
		"a field of a class":       {"pager.py", 5, "Pager.page"},
		"the text in a class":      {"pager.py", 6, "Pager.page Pager.all"},
		"a constant of a block":    {"name.go", 5, "Is"},
		"a key of a map":           {"name.go", 9, "Name"},
		"used in another file":     {"state.go", 3, "Full"},
		"a table in what is given": {"tables.js", 5, "parse"},
		"a file that is not there": {"none.go", 3, ""},
		"no source":                {"README.md", 3, ""},
		"past the end":             {"name.go", 900, "Name Is"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, u := range c.Users(qa.Finding{Path: want.path, Lines: qa.Range{Start: want.line, End: want.line}}) {
				got = append(got, u.Function.Name)
			}
			if d := cmp.Diff(want.want, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}

// What a test writer is asked to show: defects on the function, or outside of
// functions in lines it uses; beneath it those of what it calls.
func TestProvable(t *testing.T) {
	t.Parallel()
	c := code(t, map[string]string{"links.js": links}, qa.Change{Files: []qa.FileChange{{Path: "links.js", Kind: qa.KindSource, Added: []qa.Range{{Start: 1, End: 25}}}}})
	found := func(id string, line int, symbol string, s qa.Severity, p qa.Perspective) qa.Finding {
		return qa.Finding{
			ID: id, Fingerprint: id, Path: "links.js", Lines: qa.Range{Start: line, End: line}, Symbol: symbol, Severity: s,
			Perspectives: []qa.Perspective{p}, Status: qa.StatusNew, Evidence: qa.Corroborated, Engines: []string{"model"},
		}
	}
	findings := []qa.Finding{
		found("regexp", 3, "", qa.High, qa.Bug),
		found("quotes", 10, "unquote", qa.High, qa.Security),
		found("unit", 5, "", qa.High, qa.Bug),
		found("taste", 14, "read", qa.High, qa.CodeQuality),
		found("small", 14, "read", qa.Low, qa.Bug),
	}
	for symbol, want := range map[string]struct {
		lines         qa.Range
		own, beneath  string
		shownUnderOwn string
	}{
		"read":    {qa.Range{Start: 13, End: 15}, "regexp", "quotes", "+ const LINK"},
		"parse":   {qa.Range{Start: 17, End: 19}, "", "quotes", ""},
		"unquote": {qa.Range{Start: 9, End: 11}, "quotes", "", ""},
		"size":    {qa.Range{Start: 21, End: 23}, "unit", "", "+   KB: 1024,"},
	} {
		t.Run(symbol, func(t *testing.T) {
			t.Parallel()
			own, beneath := c.Provable(qa.Focus{Path: "links.js", Symbol: symbol, Lines: want.lines}, findings)
			ids := func(all []qa.Finding) string {
				var out []string
				for _, f := range all {
					out = append(out, f.Fingerprint)
				}
				return strings.Join(out, " ")
			}
			if ids(own) != want.own || ids(beneath) != want.beneath {
				t.Errorf("own %q, beneath %q", ids(own), ids(beneath))
			}
			if want.shownUnderOwn != "" && !strings.Contains(c.Altered(t.Context(), own[0]), want.shownUnderOwn) {
				t.Errorf("shown:\n%s", c.Altered(t.Context(), own[0]))
			}
		})
	}
}

// A function that is handed on is reached like one that is called.
func TestReachedByHandingOn(t *testing.T) {
	t.Parallel()
	c := code(t, map[string]string{"a.py": "def _strength(p):\n    return p\n\n\ndef rank(ps):\n    return sorted(ps, key=_strength)\n\n\ndef other(ps):\n    return ps\n"}, qa.Change{})
	if got := c.Reached("a.py", "rank"); !got[Site{"a.py", "_strength"}] || len(got) != 1 {
		t.Errorf("reached %v", got)
	}
	if got := c.Reached("a.py", "other"); len(got) != 0 {
		t.Errorf("reached %v", got)
	}
}

// Who reads a constant that the change wrote is told with the lines that do, unless that
// is seen anyway.
func TestReadersOfConstants(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("// more\n", wholeFile)
	c := code(t, map[string]string{
		"limits.js": "exports.MOST = 3;\nexports.LEAST = 1;\n", "take.js": "const { MOST } = require('./limits');\nfunction take(n) {\n  const m = n;\n  return Math.min(m, MOST);\n}\nfunction other() {\n  return 1;\n}\n",
		"own.js": long + "const MOST = 3;\nfunction take(n) {\n  return n > MOST;\n}\n",
	}, qa.Change{})
	side := Side{Path: "limits.js", Source: "exports.MOST = 3;\n", Added: []qa.Range{{Start: 1, End: 1}}}
	if d := cmp.Diff("take.js: function take(n)\n\treturn Math.min(m, MOST);", c.Readers(side)); d != "" {
		t.Error(d)
	}
	own := Side{Path: "own.js", Source: long + long, Added: []qa.Range{{Start: wholeFile + 1, End: wholeFile + 1}}}
	if got := c.Readers(own); !strings.Contains(got, "return n > MOST;") {
		t.Errorf("readers %q", got)
	}
	own.Whole = []qa.Range{{Start: wholeFile + 1, End: wholeFile + 9}}
	if got := c.Readers(own); got != "" {
		t.Errorf("seen, and told again: %q", got)
	}
}
