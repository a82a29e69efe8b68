package quality

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
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
		if file != "" {
			p.Files = each.Added(p.Files, file)
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
	{"setup", []string{"beforeall", "beforeeach", "fixture", "setupmodule", "conftest", "econnrefused", "connection refused", "enoent", "executable doesn't exist", "getaddrinfo", "name or service not known", "name resolution"}},
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

// trendStep is how far coverage must move, as a fraction, to be a trend.
const trendStep = 0.05

// TrendOf compares the last two points that know their coverage; points are
// oldest first.
func TrendOf(points []qa.TrendPoint) qa.Trend {
	t := qa.Trend{Direction: "insufficient_data", Confidence: "low", Points: points}
	known := each.Where(points, func(p qa.TrendPoint) bool { return p.Coverage != nil })
	switch {
	case len(known) >= 5:
		t.Confidence = "high"
	case len(known) >= 3:
		t.Confidence = "medium"
	}
	if len(known) < 2 {
		return t
	}
	switch d := *known[len(known)-1].Coverage - *known[len(known)-2].Coverage; {
	case d >= trendStep:
		t.Direction = "improving"
	case d <= -trendStep:
		t.Direction = "declining"
	default:
		t.Direction = "stable"
	}
	return t
}

// NotInTime is said of a command that was ended by the limit of its time.
const NotInTime = "did not end within its time"

// Next gives the steps that settle what a run could not tell, or would tell more,
// as commands. What stands in a row of the report with its own command, like a test
// that fails, is not said again.
func Next(r *qa.Report) []qa.Step {
	var out []qa.Step
	if slices.ContainsFunc(r.Gates, func(g qa.Gate) bool { return g.Name == qa.GateTestsRan && g.Verdict == qa.Inconclusive }) {
		if t, ok := each.First(r.Manifest.Targets, func(t qa.TargetRow) bool { return t.State != "ran" && t.Command != "" }); ok {
			out = append(out, qa.Step{What: "see it outside of this run", Command: t.Command})
		}
		ask := qa.Step{What: "ask what is missing here", Command: "qa doctor"}
		if slices.ContainsFunc(r.Manifest.Targets, func(t qa.TargetRow) bool { return strings.Contains(t.Reason, NotInTime) }) {
			ask = qa.Step{What: "give it more time, and see where it goes", Command: "qa run --timeout 1h --task-timeout 40m --timings"}
		}
		out = append(out, ask)
	}
	if r.Partial {
		out = append(out, qa.Step{What: "go on where it ended", Command: "qa resume"})
	}
	// Where another gate failed, what it names is to be mended first.
	mended := !slices.ContainsFunc(r.Gates, func(g qa.Gate) bool { return g.Name != qa.GateScore && g.Verdict == qa.Fail })
	if v := r.Score.Value; v != nil && *v < failScore && mended && r.Depth != "comprehensive" {
		out = append(out, qa.Step{What: "look deeper, at every layer", Command: "qa run --mode full --depth comprehensive"})
	}
	if r.Result == qa.Inconclusive && len(out) == 0 {
		out = append(out, qa.Step{What: "ask what is missing here", Command: "qa doctor"})
	}
	return out
}

// Band is the sentence for a judged report: by its verdict where that is worse
// than its score says, else by the score, good from 80, needs improvement from
// 60.
func Band(r *qa.Report) string {
	score := r.Score.Value
	switch {
	case r.Tests.Unneeded != "" && score == nil:
		return ""
	case score == nil:
		return "no score: " + cmp.Or(noScore(r), "nothing was measured")
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
