// Package analyst asks a model what a finished run's evidence suggests to do
// next. Start at [Model.Recommend]. Score, gates, patterns and trend are
// computed by package quality; what comes from here is text beside them and
// never a number.
package analyst

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/wording"
)

// Reply is what the model answers.
type Reply struct {
	Recommendations []string `json:"recommendations" jsonschema:"at most five, most useful first, one sentence each that names file, function or test and what to do there"`
}

// Model gives recommendations; Ask is the model's client, bound.
type Model struct {
	Ask func(context.Context, llm.Request) (Reply, error)
	// Text gives a file as head has it, nothing where it cannot be shown.
	Text func(path string) []byte
}

//go:embed prompt/system.md
var system string

//go:embed prompt/recommend.md
var recommend string

var prompt = template.Must(template.New("recommend").Option("missingkey=error").Funcs(template.FuncMap{
	"data": llm.Data, "join": strings.Join, "claim": claim,
}).Parse(recommend))

// Bounds of what a reply may say, and of what a request shows.
const (
	most    = 5
	longest = 300
	shown   = 12
	// shownTests are those that show one finding.
	shownTests = 3
	// shownLine is how many characters of a line are shown.
	shownLine = 120
)

// Recommend asks once about a report that has something to act on. gained are
// the changed lines, by path, that run in kept generated tests only. It gives at
// most five recommendations: hostile text.
func (m Model) Recommend(ctx context.Context, r *qa.Report, gained map[string][]int) ([]string, error) {
	e := evidenceOf(r, gained)
	e.Missing = m.reachable(e.Missing)
	for _, missed := range e.Missing {
		e.Missed = append(e.Missed, m.told(missed))
	}
	if e.empty() {
		return nil, nil
	}
	if said, all := e.suggested(); all {
		return said, nil
	}
	var b strings.Builder
	if err := prompt.Execute(&b, e); err != nil {
		return nil, fmt.Errorf("write prompt of the recommendations: %w", err)
	}
	reply, err := m.Ask(ctx, llm.Request{Job: "analyst/recommend", System: system, Prompt: b.String(), MaxTokens: 1024, Optional: true})
	if err != nil {
		return nil, fmt.Errorf("ask for recommendations: %w", err)
	}
	var out []string
	for _, text := range reply.Recommendations {
		text = wording.Fold(text)
		if text != "" && len(out) < most {
			out = append(out, wording.Cut(text, longest))
		}
	}
	return out, nil
}

// evidence is the part of a report that recommendations can be about. A refused test
// is no matter of the author's; why most were refused tells what a better one would need.
type evidence struct {
	Findings  []qa.Finding
	Unsure    []qa.Finding // tests that fail on head and that base does not speak for
	Failing   []qa.FailingTest
	Missing   []qa.Missing
	Missed    []string // the same, with what stands in their first lines
	Survivors []string
	Kept      []qa.GeneratedTest
	Fell      []string // why tests were refused, with how many
	Patterns  []qa.Pattern
}

// empty reports whether there is nothing to act on.
func (e evidence) empty() bool {
	return len(e.Findings)+len(e.Unsure)+len(e.Failing)+len(e.Missing)+len(e.Survivors)+len(e.Patterns) == 0
}

// suggested are the mends that findings come with; all says that there is no other
// evidence, and every finding has one: a request would only get them back.
func (e evidence) suggested() (said []string, all bool) {
	if len(e.Unsure)+len(e.Failing)+len(e.Missing)+len(e.Survivors)+len(e.Patterns) > 0 {
		return nil, false
	}
	for _, f := range e.Findings {
		if f.Suggestion == "" {
			return nil, false
		}
		text := wording.Cut(wording.Fold(fmt.Sprintf("%s:%d: %s", f.Path, f.Lines.Start, f.Suggestion)), longest)
		if len(said) < most {
			said = append(said, text)
		}
	}
	return said, true
}

func evidenceOf(r *qa.Report, gained map[string][]int) evidence {
	e := evidence{
		Failing: first(r.Tests.Failing), Patterns: first(r.Patterns), Findings: first(each.Where(r.Findings, qa.Finding.Counts)),
		Unsure: first(each.Where(r.Findings, func(f qa.Finding) bool { return f.Folded() && f.Proof != nil })),
		Kept:   first(each.Where(r.Generated, func(t qa.GeneratedTest) bool { return t.Kept })),
	}
	if r.Mutation != nil {
		e.Survivors = first(each.Where(r.Mutation.Survivors, func(told string) bool { return !strings.HasSuffix(told, qa.Alike) }))
	}
	if r.Coverage.Patch != nil {
		e.Missing = first(without(r.Coverage.Patch.Missing, gained))
	}
	if len(e.Survivors)+len(e.Missing) > 0 {
		e.Fell = fell(r.Generated)
	}
	return e
}

// refused are the gates at which tests fall that say something of what is left. A test that
// fell at G8 may have failed on a wrong version without an assertion that noticed it.
var refused = []struct {
	gate  string
	kills bool
	why   string
}{
	{"G2", false, "did not build"}, {"G5", false, "were not stable"}, {"G6", false, "did not run alone or beside others"}, {"G7", false, "ran and noticed nothing new"},
	{"G8", false, "noticed no wrong version"}, {"G8", true, "failed on wrong versions, but by a crash or as nothing came back, not by an assertion on what is wrong"},
	{"G9", false, "had assertions that hold whatever the code does"}, {"G10", false, "wrote a proven defect down as wanted"},
}

// fell counts refused tests by the gate, and names them.
func fell(tests []qa.GeneratedTest) (out []string) {
	for _, r := range refused {
		fallen := each.Where(tests, func(t qa.GeneratedTest) bool {
			return !t.Kept && t.Gate == r.gate && (r.gate != "G8" || t.Kills > 0 == r.kills)
		})
		if len(fallen) > 0 {
			names := each.Of(fallen[:min(len(fallen), shownTests)], func(t qa.GeneratedTest) string { return t.Name })
			out = append(out, fmt.Sprintf("%d %s: %s", len(fallen), r.why, strings.Join(names, "; ")))
		}
	}
	return out
}

// claim is a finding with the names of the tests that show it, which the report gives their
// author to add.
func claim(f qa.Finding) string {
	text := fmt.Sprintf("%s:%d %s: %s", f.Path, f.Lines.Start, f.Symbol, f.Message)
	if f.Proof == nil {
		return text
	}
	names := append([]string{f.Proof.Test}, each.Of(f.Also, func(p qa.Proof) string { return p.Test })...)
	return text + "\nshown by: " + strings.Join(names[:min(len(names), shownTests)], "; ")
}

// reachable leaves out what no test of the author can run.
func (m Model) reachable(missing []qa.Missing) (out []qa.Missing) {
	for _, missed := range missing {
		missed.Ranges = mutant.Reachable(missed.Ranges, mutant.Guarded(missed.Path, m.Text(missed.Path)))
		if len(missed.Ranges) > 0 {
			out = append(out, missed)
		}
	}
	return out
}

// told says which lines of a file no test runs, and what the first of each range says: a
// number alone tells nobody what to test.
func (m Model) told(missed qa.Missing) string {
	text := fmt.Sprintf("%s: %s", missed.Path, qa.FormatRanges(missed.Ranges))
	lines := strings.Split(string(m.Text(missed.Path)), "\n")
	for _, at := range first(missed.Ranges) {
		if at.Start >= 1 && at.Start <= len(lines) {
			text += fmt.Sprintf("\n%d: %s", at.Start, wording.Line(lines[at.Start-1], shownLine))
		}
	}
	return text
}

// without takes the lines out that run in kept tests, and examples, of which projects have
// no tests.
func without(missing []qa.Missing, gained map[string][]int) []qa.Missing {
	var out []qa.Missing
	for _, m := range missing {
		if change.IsExample(m.Path) {
			continue
		}
		var left []int
		for _, at := range m.Ranges {
			for line := at.Start; line <= at.End; line++ {
				if !slices.Contains(gained[m.Path], line) {
					left = append(left, line)
				}
			}
		}
		if len(left) > 0 {
			out = append(out, qa.Missing{Path: m.Path, Ranges: qa.Ranges(left)})
		}
	}
	return out
}

func first[T any](all []T) []T { return all[:min(len(all), shown)] }
