package trials

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/wording"
)

// fewestWords is how many words announce something.
const fewestWords = 3

// announced are the words of the change that a model says announce what its test
// shows, empty when the change does not say them: of itself, in documentation and
// comments, in its tests, or in an error with which the test fails. They are the author's,
// whoever that is: a difference that is announced is still shown, and never passes for none.
func (r Runner) announced(ctx context.Context, c generator.Candidate, failed string) string {
	words := quoted(c.Announced)
	if r.worded(c, words, failed) {
		return wording.Cut(words, shownWords)
	}
	of := r.Said(ctx)
	for _, said := range []string{of, signs.ReplaceAllString(of, ""), r.Tested(), related.Remarks(r.Code)} {
		if words != "" && hasWords([]byte(said), words) {
			return wording.Cut(words, shownWords)
		}
	}
	return ""
}

// signs are those before lines of documentation that the change wrote or took away: words
// that go over several lines are quoted without them.
var signs = pattern.New(`(?m)^[-+] `)

// worded reports whether words are of a text that the change wrote into the product, and
// the test fails with them: who words an error means it to come.
func (r Runner) worded(c generator.Candidate, words, failed string) bool {
	said := slices.MaxFunc(placeholder.Split(words, -1), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	said = quoted(said)
	return said != "" && hasWords([]byte(failed), said) && !hasWords([]byte(c.Code), said) && hasWords([]byte(related.Wordings(r.Code)), words)
}

// placeholder is what stands in a text for a value.
var placeholder = pattern.New(`%[-+#0-9.]*[a-zA-Z]|\$?\{[^}]*\}`)

// relied are the words of a file that a model says count on what its test shows to be
// otherwise now, with the file's name; empty when it does not say them, or only since the
// change or until then.
func (r Runner) relied(ctx context.Context, c generator.Candidate) string {
	name, text, _ := strings.Cut(c.Relied, ":")
	name, words := path.Clean(strings.TrimSpace(name)), quoted(text)
	if words == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	f, changed := r.Change.File(name)
	if !hasWords(r.Text(name), words) || changed && !hasWords(r.Before(ctx, f), words) || idle(r, c, name, words) {
		return ""
	}
	return wording.Cut(name+": "+words, shownWords)
}

// idle reports words that are code of the product and use nothing: they stand in no function
// but the one under test, and do not name it.
func idle(r Runner, c generator.Candidate, name, words string) bool {
	kind, _, _ := change.Classify(name, nil)
	src := r.Text(name)
	code := related.Proseless(name, src)
	parsed, err := r.Code.Parse(name, src)
	leaf := c.Target[strings.LastIndexByte(c.Target, '.')+1:]
	if err != nil || kind == qa.KindTest || !hasWords(code, words) || slices.Contains(wording.Names(words), leaf) {
		return false
	}
	lines := strings.Split(string(code), "\n")
	return !slices.ContainsFunc(parsed.Functions, func(f qa.Function) bool {
		return f.Name != c.Target && f.Lines.End <= len(lines) && hasWords([]byte(strings.Join(lines[f.Lines.Start-1:f.Lines.End], "\n")), words)
	})
}

// shownWords is how many characters of such words are shown.
const shownWords = 200

// quoted are words that a model quotes, empty where they are too few to mean something.
func quoted(text string) string {
	words := wording.Fold(wording.Unmarked(strings.Trim(strings.TrimSpace(text), "\"'`")))
	if len(strings.Fields(words)) < fewestWords {
		return ""
	}
	return words
}

func hasWords(text []byte, words string) bool {
	return strings.Contains(wording.Fold(wording.Unmarked(string(text))), words)
}

// asserted is the test of the change that asserts the very behaviour which a proof
// shows to be another: a test that the change wrote, that passed on head, and that
// expects something else of the same call with the same arguments written out. Each
// assertion of the proof has to be about such a call, else it shows more than that.
func (r Runner) asserted(c generator.Candidate, b *baseline.Baseline) string {
	text, err := edit.Place(nil, c.Path, c.Alone(nil))
	if err != nil {
		return ""
	}
	alone, err := edit.Tests(c.Path, text)
	if err != nil || len(alone) != 1 {
		return ""
	}
	shows, err := edit.Expectations(c.Path, text, alone[0].Name)
	if err != nil || len(shows) == 0 {
		return ""
	}
	where := ""
	for _, e := range shows {
		other, test := "", ""
		if e.Subject != "" && mentions(e.Subject, c.Target) {
			other, test = r.expected(e.Subject, b)
		}
		switch {
		case test == "":
			return ""
		case other != e.Expected:
			where = test
		}
	}
	return where
}

// mentions reports whether a call is one of a function.
func mentions(call, symbol string) bool {
	callee, _, _ := strings.Cut(strings.TrimPrefix(call, "await "), "(")
	return callee[strings.LastIndexByte(callee, '.')+1:] == symbol[strings.LastIndexByte(symbol, '.')+1:]
}

// expected is what a test that the change wrote expects of a call, and where; the test
// passed on head.
func (r Runner) expected(call string, b *baseline.Baseline) (value, test string) {
	for _, f := range r.Change.Of(qa.KindTest) {
		src := r.Text(f.Path)
		all, err := edit.Tests(f.Path, src)
		if err != nil {
			continue
		}
		for _, t := range all {
			if !f.Touches(t.Lines) || !passed(b, f.Path, assurance.Names(f.Path, src, t.Name)) {
				continue
			}
			own, err := edit.Expectations(f.Path, src, t.Name)
			if err != nil {
				continue
			}
			for _, e := range own {
				if e.Subject == call && f.Touches(qa.Range{Start: e.Line, End: e.Line}) {
					return e.Expected, f.Path + ": " + t.Name
				}
			}
		}
	}
	return "", ""
}

// passed reports whether a test ran on head and passed, in all its cases.
func passed(b *baseline.Baseline, file string, names []string) bool {
	cases := slices.DeleteFunc(slices.Clone(b.Cases()), func(k qa.Case) bool { return !assurance.Matches(k, file, names...) })
	return len(cases) > 0 && !slices.ContainsFunc(cases, func(k qa.Case) bool { return k.Status != qa.Passed })
}
