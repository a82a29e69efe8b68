package trials

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/generator"
)

// A change announces also by what it writes into documentation, comments and tests; what
// counts on base's behaviour is said by words that stood before it and stand still.
func TestWordsOfTheProject(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	now := map[string]string{
		"half.go":      "package half\n\n// Half of a number. It rounds\n// down, always.\nfunc Half(n int) int {\n\treturn n >> 1 // half of it, quickly\n}\n",
		"half_test.go": "package half\n\n// Odd numbers round down here.\n",
		"README.md":    "# Half\n\nHalf rounds to the smaller number.\nNegative numbers work as well.\n",
		"use.go":       "package half\n\n// Shares are never below zero.\nvar share = Half(3)\n\nvar width = 2 * zoom\n\nfunc sum(n int) (total int) {\n\ttotal += 0 + n\n\treturn total + Half(n)\n}\n",
	}
	before := map[string]string{
		"half.go":   "package half\n\n// Half of a number.\nfunc Half(n int) int { return n / 2 }\n",
		"README.md": "# Half\n\nHalf rounds towards zero.\nNegative numbers work as well.\n",
	}
	for name, text := range now {
		assert.NilError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	r := Runner{Checkout: checkout.Checkout{
		Root: root, Content: func(_ context.Context, _, path string) ([]byte, error) { return []byte(before[path]), nil },
		Change: qa.Change{Base: "base", Files: []qa.FileChange{
			{Path: "half.go", Kind: qa.KindSource, Status: qa.Modified, Added: []qa.Range{{Start: 3, End: 7}}},
			{Path: "half_test.go", Kind: qa.KindTest, Status: qa.Added, Added: []qa.Range{{Start: 1, End: 3}}},
			{Path: "README.md", Kind: qa.KindDocs, Status: qa.Modified, Added: []qa.Range{{Start: 3, End: 3}}},
		}},
	}}
	r.Code = related.New(r.Checkout)
	for words, want := range map[string]bool{
		"Half rounds to the smaller number.": true, "Half rounds towards zero.": true, // written, and taken away
		"It rounds\n// down, always.": true, "It rounds down, always.": true, "Odd numbers round down": true,
		"return n >> 1 // half":          false,                                        // code announces nothing
		"Negative numbers work as well.": false, "Shares are never below zero.": false, // the change left them alone
		"rounds down": false,
	} {
		got := r.announced(t.Context(), generator.Candidate{Test: generator.Test{Announced: words}}, "")
		assert.Equal(t, got != "", want, "%q: %q", words, got)
	}
	for words, want := range map[string]string{
		"README.md: Negative numbers work as well.":     "README.md: Negative numbers work as well.",
		"use.go: // Shares are never below zero.":       "use.go: Shares are never below zero.",
		"./use.go: var share = Half(3)":                 "use.go: var share = Half(3)",
		"README.md: Half rounds to the smaller number.": "", "README.md: Half rounds towards zero.": "", // of one side alone
		"half.go: Half of a":           "half.go: Half of a",
		"use.go: var width = 2 * zoom": "", // code that uses nothing of it
		"use.go: total += 0 + n":       "use.go: total += 0 + n",
		"use.go: below zero":           "", // too few to mean something
		"none.go: a b c":               "",
		"../half.go: a b c":            "",
		"Negative numbers work":        "",
	} {
		assert.Equal(t, r.relied(t.Context(), generator.Candidate{Target: "Half", Test: generator.Test{Relied: words}}), want, "%q", words)
	}
}

// An error announces what it is for where the change words it and the test fails with
// just these words: not where the test says them itself, or where they stood before.
func TestErrorsAnnounceWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	for file, text := range map[string]string{
		"a.go": "package a\n\nimport \"fmt\"\n\nfunc Parse(n int) error {\n\t_ = \"cannot be used so any more\"\n\treturn fmt.Errorf(\"%d cannot be parsed a second time\", n)\n}\n",
		"a.py": "\n\n\n\n\n_ = 'cannot be used so any more'\nraise ValueError(f'{n} cannot be parsed '\n 'a second time')\n",
		"a.ts": "\n\n\n\n\nconst old = 'cannot be used so any more'\nthrow new Error(`${n} cannot be parsed\n a second time`)\n",
	} {
		root := t.TempDir()
		assert.NilError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o600))
		r := Runner{Checkout: checkout.Checkout{Root: root, Change: qa.Change{Base: "base", Files: []qa.FileChange{{Path: file, Kind: qa.KindSource, Status: qa.Modified, Added: []qa.Range{{Start: 7, End: 8}}}}}}}
		r.Code = related.New(r.Checkout)
		announced := func(words, code, failed string) string {
			return r.announced(t.Context(), generator.Candidate{Test: generator.Test{Announced: words, Code: code}}, failed)
		}
		const head = "Error: 7 cannot be parsed\n  a second time\n  at parse"
		words := "cannot be parsed"
		assert.Equal(t, announced(words, "parse(7)", head), words, file)
		assert.Equal(t, announced(words, "parse(7)", "expected 7, got undefined"), "", "%s: it fails otherwise", file)
		assert.Equal(t, announced(words, "expect(parse(7), '7 cannot be parsed')", head), "", "%s: the test says so", file)
		assert.Equal(t, announced("cannot be used so any more", "parse(7)", "cannot be used so any more"), "", "%s: of before", file)
		if file == "a.ts" {
			assert.Equal(t, announced("`${n} cannot be parsed a second time`", "parse(7)", head), "${n} cannot be parsed a second time")
		}
	}
}

// A proven difference of a corner in which nobody is known to be is low, and is told. One
// that matters to an attacker, or that an engine rates, keeps its severity.
func TestMediumIsWhatSomethingCountsOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*qa.Finding, *Proof)
		want   qa.Severity
		says   string
	}{
		"nothing is named":       {func(*qa.Finding, *Proof) {}, qa.Low, "no documentation, test or caller was named"},
		"documentation":          {func(_ *qa.Finding, p *Proof) { p.Relied = "README.md: A never forgets" }, qa.Medium, "What counts on it: README.md: A never forgets"},
		"high":                   {func(f *qa.Finding, _ *Proof) { f.Severity = qa.High }, qa.High, ""},
		"security":               {func(f *qa.Finding, _ *Proof) { f.Perspectives = append(f.Perspectives, qa.Security) }, qa.Medium, ""},
		"an engine":              {func(f *qa.Finding, _ *Proof) { f.Engines = append(f.Engines, "ruff") }, qa.Medium, ""},
		"of an earlier run":      {func(_ *qa.Finding, p *Proof) { p.Was = &qa.Finding{Fingerprint: "f"} }, qa.Medium, ""},
		"fails on base, as well": {func(_ *qa.Finding, p *Proof) { p.Base, p.Regression = qa.Failed, false }, qa.Medium, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := qa.Finding{
				ID: "F1", Fingerprint: "f", Path: "a.go", Symbol: "A", Perspectives: []qa.Perspective{qa.Bug}, Status: qa.StatusNew, Evidence: qa.Suspected,
				Severity: qa.Medium, Engines: []string{"model"}, Message: "A forgets.",
			}
			p := Proof{Proof: qa.Proof{Test: "TestA", Path: "a_test.go", Base: qa.Passed, Head: qa.Failed, Regression: true}, Finding: "F1", Source: "a.go", Target: "A"}
			c.change(&f, &p)
			got := Proofs{All: []Proof{p}, Code: related.New(checkout.Checkout{})}.Show([]qa.Finding{f})
			assert.Equal(t, len(got), 1)
			assert.Equal(t, got[0].Severity, c.want)
			assert.Assert(t, strings.Contains(got[0].Message, c.says), got[0].Message)
			assert.Assert(t, !p.Regression || got[0].Evidence == qa.Proven && got[0].Counts(), "it is told")
		})
	}
}
