package quality

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// patternAdvice is the recommendation per perspective.
var patternAdvice = map[qa.Perspective]string{
	qa.Bug:          "add a regression test for each place and look for the common cause",
	qa.Security:     "fix the shared construct once, behind one function, and test its refusals",
	qa.TestCoverage: "test these functions before the next change to them",
	qa.CodeQuality:  "refactor the shared construct when one of these files is next touched",
	qa.UX:           "agree on one pattern for this and apply it everywhere",
}

// Patterns groups findings that count by perspective and rule, and failing
// tests by kind of defect; two or more of a kind are a pattern, most frequent
// first.
func Patterns(r *qa.Report) []qa.Pattern {
	groups := map[string]*qa.Pattern{}
	add := func(key, file, description, advice string) {
		p := groups[key]
		if p == nil {
			p = &qa.Pattern{Type: key, Description: description, Recommendation: advice}
			groups[key] = p
		}
		p.Count++
		if file != "" && !slices.Contains(p.Files, file) {
			p.Files = append(p.Files, file)
		}
	}
	for _, f := range r.Findings {
		if f.Counts() && len(f.Perspectives) > 0 {
			p := f.Perspectives[0]
			add(string(p)+"/"+f.Rule.ID, f.Path, f.Message, patternAdvice[p])
		}
	}
	broken := map[string]bool{}
	for _, f := range startFailures(r.Tests) {
		broken[f.Case.ID()] = true
	}
	for _, f := range r.Tests.Failing {
		// What does not build takes all that import it along: one cause, no
		// pattern.
		if f.Triage == qa.FlakyFailure || broken[f.Case.ID()] {
			continue
		}
		kind := DefectKind(f.Case.Message + "\n" + f.Case.Output)
		add("defect/"+kind, f.Case.File, "tests fail with: "+kind, "look for one common cause before fixing them one by one")
	}
	var out []qa.Pattern
	for _, p := range groups {
		if p.Count < 2 {
			continue
		}
		slices.Sort(p.Files)
		p.Common = commonDir(p.Files)
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b qa.Pattern) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type))
	})
	return out
}

func commonDir(files []string) string {
	if len(files) == 0 {
		return "scattered"
	}
	dir := path.Dir(files[0])
	for _, f := range files[1:] {
		if path.Dir(f) != dir {
			return "scattered"
		}
	}
	return dir
}

// defectKinds are tried in order; the first whose mark occurs names the kind.
var defectKinds = []struct {
	kind  string
	marks []string
}{
	{"missing import", []string{"cannot find module", "modulenotfounderror", "importerror", "cannot find package", "no required module", "failed to resolve import", "err_module_not_found", "undefined: "}},
	{"null reference", []string{"cannot read propert", "nil pointer dereference", "nonetype", "is not a function", "null reference", "undefined is not"}},
	{"async", []string{"timed out", "timeout", "unhandled promise", "unhandledrejection", "deadlock", "was never awaited"}},
	{"mock", []string{"mock", "spy", "stub", "tohavebeencalled"}},
	{"type", []string{"typeerror", "cannot use ", "type mismatch", "is not assignable"}},
	{"setup", []string{"beforeall", "beforeeach", "fixture", "setupmodule", "conftest", "econnrefused", "enoent"}},
	{"assertion mismatch", []string{"assert", "expected", "want", "received", "to equal", "to be"}},
}

// DefectKind classifies a failure by its text: assertion mismatch, missing
// import, null reference, async, mock, type, setup or other. The first line says
// what went wrong; only when it does not, the rest is asked, without the names
// in stack frames.
func DefectKind(text string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if kind := kindIn(first); kind != "other" {
		return kind
	}
	var said strings.Builder
	for l := range strings.Lines(rest) {
		if !strings.HasPrefix(strings.TrimSpace(l), "at ") {
			said.WriteString(l)
		}
	}
	return kindIn(said.String())
}

func kindIn(text string) string {
	low := strings.ToLower(text)
	for _, k := range defectKinds {
		for _, m := range k.marks {
			if strings.Contains(low, m) {
				return k.kind
			}
		}
	}
	return "other"
}

// gap is a file whose coverage is far too low.
type gap struct {
	Path  string
	Lines qa.Count
}

// gaps lists changed files below 50 % line coverage, worst first, at most ten.
func gaps(rows []qa.FileRow) []gap {
	var out []gap
	for _, row := range rows {
		if row.Lines == nil {
			continue
		}
		if rate, ok := row.Lines.Rate(); ok && rate < 0.5 {
			out = append(out, gap{Path: row.Path, Lines: *row.Lines})
		}
	}
	slices.SortFunc(out, func(a, b gap) int {
		ra, _ := a.Lines.Rate()
		rb, _ := b.Lines.Rate()
		return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), 10)]
}

// trendStep is how far coverage must move, as a fraction, to be a trend.
const trendStep = 0.05

// TrendOf compares the last two points that know their coverage; points are
// oldest first.
func TrendOf(points []qa.TrendPoint) qa.Trend {
	t := qa.Trend{Direction: "insufficient_data", Confidence: "low", Points: points}
	var known []float64
	for _, p := range points {
		if p.Coverage != nil {
			known = append(known, *p.Coverage)
		}
	}
	switch {
	case len(known) >= 5:
		t.Confidence = "high"
	case len(known) >= 3:
		t.Confidence = "medium"
	}
	if len(known) < 2 {
		return t
	}
	switch d := known[len(known)-1] - known[len(known)-2]; {
	case d >= trendStep:
		t.Direction = "improving"
	case d <= -trendStep:
		t.Direction = "declining"
	default:
		t.Direction = "stable"
	}
	return t
}

// mendStart is what to do about what failed outside of any test.
func mendStart(f qa.FailingTest) string {
	switch {
	case f.Case.Name == exitCase && f.Reproduce != "":
		return "make the test command pass again: " + f.Reproduce
	case f.Case.Suite == ".":
		return "make the test command start again"
	}
	return "make " + f.Case.Suite + " build and start again"
}

// Recommend gives the next steps by score band and evidence, most urgent
// first.
func Recommend(r *qa.Report) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	broken := startFailures(r.Tests)
	for _, f := range broken[:min(3, len(broken))] {
		add("%s", mendStart(f))
	}
	if n := NewFailures(r.Tests) - len(broken); n > 0 {
		add("fix %s", wording.Count(n, "newly failing test"))
	}
	if p := r.Coverage.Patch; p != nil {
		for i, m := range p.Missing {
			if i == 3 {
				add("cover the changed lines of %s", wording.Count(len(p.Missing)-i, "more file"))
				break
			}
			add("cover lines %s of %s", qa.FormatRanges(m.Ranges), m.Path)
		}
		if len(p.Unmapped) > 0 {
			add("make the coverage report include %s", strings.Join(p.Unmapped[:min(3, len(p.Unmapped))], ", "))
		}
	}
	for _, g := range gaps(r.Coverage.Files) {
		add("%s is covered at %s: raise it before building on it", g.Path, g.Lines.Text())
	}
	for _, f := range r.Findings {
		if f.Counts() && f.Severity.AtLeast(qa.High) {
			add("resolve %s (%s, %s:%s)", f.ID, f.Rule.ID, f.Path, f.Lines)
		}
	}
	for _, p := range r.Patterns[:min(3, len(r.Patterns))] {
		add("%s occurs %d times: %s", p.Type, p.Count, p.Recommendation)
	}
	out = out[:min(len(out), 9)]
	if r.Tests.Unneeded != "" {
		return out // no test was run: there are none to keep
	}
	if why := noScore(r); why != "" {
		return append([]string{"no score: " + why}, out...)
	}
	return append([]string{Band(r)}, out...)
}

// Band is the sentence for a judged report: by its verdict where that is worse
// than its score says, else by the score, good from 80, needs improvement from
// 60.
func Band(r *qa.Report) string {
	score := r.Score.Value
	switch {
	case score == nil:
		return "unknown: nothing was measured"
	case *score < failScore:
		return "concerning: do not merge before the points below are resolved"
	case r.Result == qa.Fail:
		return "blocked: do not merge before every gate passes"
	case r.Result == qa.Inconclusive:
		return "undecided: settle first what could not be told"
	case *score < passScore:
		return "needs improvement: close the gaps below before merging"
	case speaksAgainst(r):
		return "good, with points to look at in the gates and below"
	}
	return "good: nothing measured stands against this change"
}

// speaksAgainst reports whether anything cost points or is marked in the gates.
func speaksAgainst(r *qa.Report) bool {
	return slices.ContainsFunc(r.Score.Terms, func(t qa.Term) bool { return t.Points < 0 }) ||
		slices.ContainsFunc(r.Gates, func(g qa.Gate) bool { return g.Verdict != qa.Pass && g.Verdict != qa.NotApplicable })
}
