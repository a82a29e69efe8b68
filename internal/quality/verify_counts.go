package quality

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// targets holds the rows of the targets against the sum of tests and the gate of
// what ran.
func (v *verifier) targets() {
	rows, stuck, sum, whole := v.r.Manifest.Targets, 0, qa.Tally{}, true
	for i, t := range rows {
		where := fmt.Sprintf("manifest.targets[%d] %.60q", i, t.Name)
		switch t.State {
		case "ran", "unavailable":
		case "inconclusive":
			stuck++
		default:
			v.wrong(where, fmt.Sprintf("state %.40q", t.State), "one of ran, inconclusive, unavailable")
			stuck++
		}
		whole = v.tally(where, t.Tests) && whole
		v.ratio(where+" lines", t.Lines)
		sum = sum.Plus(t.Tests)
		if t.ExitOnly && t.State == "ran" && v.r.Result == qa.Pass {
			v.wrong(where, "an exit code without a count of tests, and PASS", "CONDITIONAL at best")
		}
	}
	if len(rows) > 0 && whole && sum != v.r.Tests.Head {
		v.wrong("tests.head", words(v.r.Tests.Head), words(sum)+" as the targets have")
	}
	v.passes(qa.GateTestsRan, stuck == 0, wording.Count(stuck, "target")+" that could not be judged")
}

// passed holds a PASS to a test that passed, or to a row that says why none had
// to.
func (v *verifier) passed() {
	t := v.r.Tests.Head
	gate := v.gates[qa.GateTestsRan]
	if v.r.Result != qa.Pass || t.Passed+t.Flaky > 0 || gate.Verdict == qa.NotApplicable && gate.Measured+gate.Reason != "" {
		return
	}
	v.wrong("result", "PASS without a passed test", "one, or gate tests-ran N/A with the reason")
}

// score adds up the terms.
func (v *verifier) score() {
	s, gate := v.r.Score, v.gates[qa.GateScore]
	total := 0.0
	for i, t := range s.Terms {
		if math.IsNaN(t.Points) || math.Abs(t.Points) > 100 {
			v.wrong(fmt.Sprintf("score.terms[%d]", i), fmt.Sprintf("%g points", t.Points), "-100 to 100")
			return
		}
		total += t.Points
	}
	if s.Value == nil {
		if len(s.Terms) > 0 {
			v.wrong("score.value", "unknown", "a number, because there are terms")
		}
		if gate.Verdict == qa.Pass {
			v.gate(qa.GateScore, qa.NotApplicable, "an unknown score")
		}
		return
	}
	n, sum := *s.Value, within(total)
	if want := scoreVerdict(n); gate.Verdict != want {
		v.gate(qa.GateScore, want, fmt.Sprintf("score %d", n))
	}
	proven := provenHigh(v.r.Findings)
	switch {
	case proven != "" && n > provenCap:
		v.wrong("score.value", fmt.Sprint(n), fmt.Sprintf("at most %d, because %.40q is proven", provenCap, proven))
	case n == sum, proven != "" && n == provenCap && (sum > provenCap || onlySaid(v.r.Findings)):
	case (n == passScore || n == failScore) && n > sum && onlySaid(v.r.Findings):
	default:
		v.wrong("score.value", fmt.Sprint(n), fmt.Sprintf("%d, the sum of its terms", sum))
	}
}

// onlySaid reports whether some of what the findings cost comes of a model alone.
func onlySaid(findings []qa.Finding) bool {
	all, _ := findingsPenalty(findings)
	return all > hearsay(findings)
}

// findings holds the gates of findings against them.
func (v *verifier) findings() {
	soft := each.Count(v.r.Findings, isSoft)
	regressions := each.Count(v.r.Findings, isRegression) - soft
	criticals, highs := counting(v.r.Findings, qa.Critical), counting(v.r.Findings, qa.High)
	switch gate := v.gates[qa.GateRegression]; {
	case regressions > 0 && gate.Verdict != qa.Fail:
		v.gate(qa.GateRegression, qa.Fail, wording.Count(regressions, "proven regression"))
	case regressions == 0 && soft > 0 && gate.Verdict != qa.Fail && gate.Verdict != qa.Conditional:
		v.gate(qa.GateRegression, qa.Conditional, wording.Count(soft, "announced or low regression"))
	case regressions+soft == 0 && gate.Verdict != qa.Pass:
		v.gate(qa.GateRegression, qa.Pass, "no proven regression")
	}
	v.passes(qa.GateFindings, len(ScanGaps(v.r)) == 0, "a scan that did not look at everything")
	v.passes(qa.GateFindings, criticals+highs == 0, fmt.Sprintf("%d critical and %d high findings", criticals, highs))
	v.passes(qa.GateCriticals, criticals == 0, wording.Count(criticals, "critical finding"))
	v.count("max_findings", v.r.MaxShown)
}

// ratio reports whether a count is a part of a whole.
func (v *verifier) ratio(where string, c *qa.Count) bool {
	if c == nil {
		return true
	}
	if c.Covered < 0 || c.Total > maxCount || c.Covered > c.Total {
		v.wrong(where, fmt.Sprintf("%d of %d", c.Covered, c.Total), "covered from 0 to total")
		return false
	}
	return true
}

func (v *verifier) rate(where string, r *float64) {
	if r != nil && !(*r >= 0 && *r <= 1) {
		v.wrong(where, fmt.Sprint(*r), "0 to 1")
	}
}

// rates holds the other rates of a report.
func (v *verifier) rates() {
	for i, f := range v.r.Tests.Failing {
		v.rate(fmt.Sprintf("tests.failing[%d].flaky_rate", i), f.FlakyRate)
	}
	for i, f := range v.r.KnownFlaky {
		v.rate(fmt.Sprintf("known_flaky[%d].rate", i), &f.Rate)
	}
	if m := v.r.Mutation; m != nil {
		v.rate("mutation.before", m.Before)
		v.rate("mutation.after", m.After)
		for _, n := range []int{m.Killed, m.Survived, m.Timeout, m.NoCover, m.Invalid} {
			v.count("mutation", n)
		}
	}
}

// coverage holds counters against their sums.
func (v *verifier) coverage() {
	c := v.r.Coverage
	v.ratio("coverage.base_lines", c.BaseLines)
	v.ratio("coverage.patch_with_generated", c.WithGenerated)
	if h := c.Head; h != nil {
		for _, n := range []*qa.Count{h.Lines, h.Statements, h.Branches, h.Functions} {
			v.ratio("coverage.head", n)
		}
		for _, f := range h.Files {
			for _, n := range []*qa.Count{f.LineCount, f.Statements, f.Branches, f.Functions} {
				v.ratio(fmt.Sprintf("coverage.head.files %.100q", f.Path), n)
			}
		}
	}
	for i, l := range c.Layers {
		where := fmt.Sprintf("coverage.layers[%d]", i)
		v.ratio(where, l.Patch)
		v.ratio(where, l.Lines)
		v.ratio(where, l.BaseLines)
		v.rate(where+".pass_rate", l.PassRate)
		if !(l.Target >= 0 && l.Target <= 100) {
			v.wrong(where+".target", fmt.Sprint(l.Target), "0 to 100")
		}
		if l.Tally != nil {
			v.tally(where+".tests", *l.Tally)
		}
		if slices.ContainsFunc(c.Layers[:i], func(o qa.LayerResult) bool { return o.Layer == l.Layer }) {
			v.wrong(where, fmt.Sprintf("layer %.20q a second time", l.Layer), "each layer once")
		}
	}
	v.endToEnd()
	p := c.Patch
	if p == nil {
		v.passes(qa.GatePatch, false, "unknown patch coverage")
	} else {
		v.patch(p)
		v.passes(qa.GatePatch, c.State == "measured" && len(p.Unmapped) == 0 && p.Lines.Total > 0, "patch coverage that is not known of every line")
	}
	v.files()
	if c.Head != nil && c.Head.Lines != nil && c.BaseLines != nil {
		head, base := *c.Head.Lines, *c.BaseLines
		v.passes(qa.GateCoverageDrop, float64(head.Covered)*float64(base.Total) >= float64(base.Covered)*float64(head.Total), "coverage "+head.Text()+" after "+base.Text())
	}
}

// endToEnd holds the gate of end-to-end commands against their layer.
func (v *verifier) endToEnd() {
	l, asked := endToEndOf(v.r)
	gate, there := v.gates[qa.GateEndToEnd]
	if want := endToEndVerdict(l); there && gate.Verdict != want && asked {
		v.gate(qa.GateEndToEnd, want, wording.Count(l.NewFailures, "newly failing command"))
	}
	if !there && asked && l.NewFailures > 0 {
		v.gate(qa.GateEndToEnd, qa.Fail, wording.Count(l.NewFailures, "newly failing command"))
	}
	v.count("coverage.layers new failures", l.NewFailures)
}

// patch adds up the changed lines.
func (v *verifier) patch(p *qa.PatchCoverage) {
	whole := v.ratio("coverage.patch.lines", &p.Lines) && v.ratio("coverage.patch.branches", p.Branches)
	for _, n := range []int{p.Changed, p.NonCode, p.Excluded, p.UnmappedLines} {
		whole = v.count("coverage.patch", n) && whole
	}
	missing := map[string]int{}
	for _, m := range p.Missing {
		for _, r := range m.Ranges {
			missing[m.Path] += r.Len()
		}
	}
	var sum qa.Count
	for _, path := range slices.Sorted(maps.Keys(p.Files)) {
		n := p.Files[path]
		if whole = v.ratio(fmt.Sprintf("coverage.patch.files %.100q", path), &n) && whole; !whole {
			return
		}
		if missing[path] > n.Total-n.Covered {
			v.wrong(fmt.Sprintf("coverage.patch.missing %.100q", path), wording.Count(missing[path], "line"), fmt.Sprintf("at most %d, as %s", n.Total-n.Covered, n.Text()))
		}
		sum = sum.Plus(n)
	}
	if !whole {
		return
	}
	if sum != p.Lines {
		v.wrong("coverage.patch.lines", p.Lines.Text(), sum.Text()+", the sum of its files")
	}
	if all := p.Lines.Total + p.NonCode + p.Excluded + p.UnmappedLines; all != p.Changed {
		v.wrong("coverage.patch.changed", fmt.Sprint(p.Changed), fmt.Sprintf("%d, the sum of executable, non-code, excluded and unmapped lines", all))
	}
}

// files holds the rows of changed files against the patch.
func (v *verifier) files() {
	seen := map[string]bool{}
	for i, f := range v.r.Coverage.Files {
		where := fmt.Sprintf("coverage.files[%d] %.100q", i, f.Path)
		if seen[f.Path] {
			v.wrong(where, "stands there twice", "each file once")
		}
		seen[f.Path] = true
		v.ratio(where, f.Lines)
		v.ratio(where, f.Base)
		v.ratio(where, f.Patch)
		if p := v.r.Coverage.Patch; p != nil && f.Patch != nil && p.Files[f.Path] != *f.Patch {
			v.wrong(where, f.Patch.Text(), p.Files[f.Path].Text()+" as in coverage.patch")
		}
	}
}

// account makes sure that each changed file is in it once. Reports of earlier
// versions have none.
func (v *verifier) account() {
	if len(v.r.Account) == 0 {
		return
	}
	missing := map[string]int{}
	for _, f := range v.r.Change.Files {
		missing[f.Path]++
	}
	for i, f := range v.r.Account {
		where := fmt.Sprintf("account[%d] %.100q", i, f.Path)
		if !slices.Contains(qa.FileClasses(), f.Class) {
			v.wrong(where, fmt.Sprintf("class %.40q", f.Class), fmt.Sprintf("one of %v", qa.FileClasses()))
		}
		if missing[f.Path]--; missing[f.Path] < 0 {
			v.wrong(where, "no changed file, or a second time", "each changed file once")
		}
	}
	for _, path := range slices.Sorted(maps.Keys(missing)) {
		if missing[path] > 0 {
			v.wrong("account", fmt.Sprintf("lacks %.100q", path), "each changed file once")
		}
	}
}
