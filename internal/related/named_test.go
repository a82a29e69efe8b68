package related

import (
	"context"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// What a change took out of a function is shown by what it called, and constants that its
// lines name by their values, in its file and in those whose names it may use.
func TestChangedLinesAreShownWithWhatTheyName(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("\n# a line between\n", 90)
	for name, c := range map[string]struct {
		files         map[string]string
		file          string
		before, after string // of a line of it
		whole         []string
		callees       []string
	}{
		"python": {
			files: map[string]string{
				"shop/cart.py":   "from shop.rules import LIMIT\nfrom shop import rates\n" + filler + "\nMOST = 12\nFEW = 2\n" + filler + "\n\ndef total(n):\n    return n\n",
				"shop/rules.py":  "\"\"\"Rules.\n\nLIMIT is for others\n\"\"\"\nLIMIT = 40\nOTHER = 3\n\n\ndef check(n):\n    if n > LIMIT:\n        raise ValueError(n)\n    return n\n",
				"shop/rates.py":  "HIGH = {\n    'a': 1,\n}\nLOW = 2\n",
				"shop/hidden.py": "LIMIT = 41\n",
			},
			file: "shop/cart.py", before: "    return check(min(n, MOST))", after: "    return min(n, LIMIT, rates.HIGH['a'])",
			whole:   []string{"  MOST = 12\n"},
			callees: []string{"shop/rules.py: def check(n):", "shop/rules.py: LIMIT = 40", "shop/rates.py: HIGH = {\n    'a': 1,\n}"},
		},
		"go": {
			files: map[string]string{
				"go.mod":   "module m\n",
				"a/a.go":   "package a\n\nfunc Total(n int) int {\n\treturn n\n}\n",
				"a/doc.go": "/*\nlimit is for others\n*/\npackage a\n",
				"a/b.go":   "package a\n\nconst (\n\tlimit = 40\n\tother = 1\n)\n\nfunc check(n int) int {\n\treturn n\n}\n",
			},
			file: "a/a.go", before: "\treturn check(n)", after: "\treturn min(n, limit)",
			callees: []string{"a/b.go: func check(n int) int {\n\treturn n\n}", "a/b.go: \tlimit = 40"},
		},
		"javascript": {
			files: map[string]string{
				"src/a.js": "import { LIMIT as most } from './b.js';\n\nexport function total(n) {\n  return n;\n}\n",
				"src/b.js": "export const LIMIT = 40;\nexport const OTHER = 1;\n\nexport function check(n) {\n  return n;\n}\n",
			},
			file: "src/a.js", before: "  return check(n);", after: "  return Math.min(n, most);",
			callees: []string{"src/b.js: export const LIMIT = 40;"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			last := map[string]string{"python": "    return n\n", "go": "\treturn n\n", "javascript": "  return n;\n"}[name]
			at := strings.LastIndex(c.files[c.file], last)
			text := c.files[c.file][:at] + c.after + "\n" + c.files[c.file][at+len(last):]
			before := strings.Replace(text, c.after, c.before, 1)
			if name == "python" {
				before = strings.Replace(before, "import LIMIT", "import check", 1)
			}
			c.files[c.file] = text
			line := strings.Count(text[:at], "\n") + 1
			file := qa.FileChange{Path: c.file, Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: line, End: line}}}
			all := code(t, c.files, qa.Change{Base: "base", Files: []qa.FileChange{file}})
			all.o.Content = func(context.Context, string, string) ([]byte, error) { return []byte(before), nil }
			side, touched := all.Side(t.Context(), file, []byte(text))
			assert.Equal(t, len(touched), 1)
			shown, callees := side.Text(), all.Callees(side, touched[0].Name)
			for _, want := range c.whole {
				assert.Assert(t, strings.Contains(shown, want), shown)
			}
			for _, want := range c.callees {
				assert.Assert(t, strings.Contains(callees, want), callees)
			}
			for _, not := range []string{"FEW", "OTHER", "other", "LOW", "41"} {
				assert.Assert(t, !strings.Contains(shown+callees, not), shown+callees)
			}
		})
	}
}

// Of a type that is too long to be shown, what changed lines name is shown, each field with
// its comment: what it means stands nowhere else.
func TestFieldsOfLongTypes(t *testing.T) {
	t.Parallel()
	fields := "\t// Index of the value (in the text), zero\n\t// means unknown\n\tIndex int\n\n\t// Num is a number\n\tNum float64\n" + strings.Repeat("\tother int\n", 12)
	for name, c := range map[string]struct{ file, before, after, text, whole string }{
		"go": {
			"a.go", "\treturn r", "\tr.Index += len(Result{}.text)\n\treturn r",
			"package a\n\n#// Result is one.\ntype Result struct {\n" + fields + "\ttext []string\n}\n\n#func Take(r Result) Result {\n%\n}\n",
			"  type Result struct {\n  \t// Index of the value (in the text), zero\n  \t// means unknown\n  \tIndex int\n…\n  \ttext []string\n",
		},
		"typescript": {
			"a.ts", "  return r", "  const s: Result = { ...r, index: 1 }\n  return s",
			"import a from 'a'\n\n#export interface Result {\n  // where it is\n  readonly index?: number\n" + strings.Repeat("  other: { a: number }\n  nested: {\n    index: string\n  }\n", 6) + "}\n\n#export function take(r: any): any {\n%\n}\n",
			"  export interface Result {\n    // where it is\n    readonly index?: number\n…\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			filler := strings.Repeat("\n// a line between\n", 90)
			text := strings.ReplaceAll(strings.Replace(c.text, "%", c.after, 1), "\n\n#", "\n"+filler+"\n")
			line := strings.Count(text[:strings.Index(text, c.after)], "\n") + 1
			file := qa.FileChange{Path: c.file, Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: line, End: line}}}
			all := code(t, map[string]string{c.file: text}, qa.Change{Base: "base", Files: []qa.FileChange{file}})
			all.o.Content = func(context.Context, string, string) ([]byte, error) {
				return []byte(strings.Replace(text, c.after, c.before, 1)), nil
			}
			side, _ := all.Side(t.Context(), file, []byte(text))
			assert.Assert(t, strings.Contains(side.Text(), c.whole), side.Text())
		})
	}
}
