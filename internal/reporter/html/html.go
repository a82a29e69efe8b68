// Package html renders a report as one page that loads nothing.
package html

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/reporter/sink"
	"github.com/org/qa-action/internal/wording"
)

//go:embed page
var htmlFiles embed.FS

// Render writes report.html: one file that loads nothing and runs nothing,
// so that it can be opened from an artifact, offline, with scripts switched
// off. html/template escapes for the context; what is not meant to be seen at
// all is removed by package escape before.
func Render(w io.Writer, r *qa.Report, o sink.Options) error {
	view := newHTMLView(r, o)
	t, err := template.New("page.html").Funcs(view.functions()).ParseFS(htmlFiles, "page/*")
	if err != nil {
		return err
	}
	return t.Execute(w, view)
}

// htmlView is what the templates see: the report and what had to be computed.
type htmlView struct {
	*qa.Report
	htmlFailing
	htmlFindings
	htmlSaw
	htmlSources
	Facts     []string
	Gates     []qa.Gate
	Files     []qa.FileRow
	Generated []qa.GeneratedTest
	Trend     *trendChart
	Timeline  *timeline
	Baseline  string
	Warnings  []string

	links sink.Links
}

// htmlFailing are the failing tests that a page can show.
type htmlFailing struct {
	Attention []extract.Group
	Excused   []extract.Group
	Unlisted  string // what of them is not on the page
	Open      int    // how many are shown with details at once
}

// htmlFindings are the findings by what becomes of them.
type htmlFindings struct {
	Counting  []qa.Finding
	InFull    []qa.Finding // of those that count
	Beyond    string       // the number of the others
	Suspected []qa.Finding
	SetAside  []qa.Finding
}

// htmlSources are the changed files as they stand on head.
type htmlSources struct {
	Sources []sourceFile
	Unshown string         // what of the source is not shown, and why
	anchor  map[string]int // path → index of its source view
}

// htmlSaw is what the run saw of the changed files, and what it could not do.
type htmlSaw struct {
	Classes []extract.ClassFiles
	Saw     string // the account in one line
	Undone  []string
}

func newHTMLView(r *qa.Report, o sink.Options) *htmlView {
	v := &htmlView{
		Report: r, links: o.Links, Gates: extract.SortedGates(r),
		Files: extract.FileRows(r.Coverage.Files), Generated: extract.KeptFirst(r.Generated),
		Trend: newTrendChart(r.Trend), Timeline: newTimeline(r.Manifest.Tasks),
		Warnings: slices.Concat(r.Change.Notes, r.Coverage.Warnings, r.Manifest.Warnings),
	}
	for _, fact := range extract.Facts(r) {
		v.Facts = append(v.Facts, strings.ReplaceAll(fact, "**", ""))
	}
	if r.Coverage.Head != nil {
		v.Warnings = append(v.Warnings, r.Coverage.Head.Conflicts...)
	}
	v.htmlFailing, v.htmlFindings = newHTMLFailing(extract.Groups(r.Tests)), newHTMLFindings(r)
	v.Classes, v.Undone = extract.AccountOf(r), extract.NotDone(r)
	v.Saw = extract.AccountTitle(r, v.Classes)
	v.Baseline = baselineText(r.Baseline)
	v.anchor = map[string]int{}
	v.Sources, v.Unshown = sourceFiles(r, o.Source)
	for i, s := range v.Sources {
		v.anchor[s.Path] = i
	}
	return v
}

// newHTMLFailing takes the groups that a page can show: a browser opens some
// hundred quickly, not some thousand.
func newHTMLFailing(groups []extract.Group) htmlFailing {
	out := htmlFailing{Attention: extract.AttentionGroups(groups), Excused: append(extract.GroupsOf(groups, qa.PreExisting), extract.GroupsOf(groups, qa.FlakyFailure)...)}
	if out.Open = len(out.Attention); out.Open > extract.OpenNames {
		out.Open = extract.OpenNames / 4 // so that the others are in reach
	}
	unlisted := 0
	for _, list := range []*[]extract.Group{&out.Attention, &out.Excused} {
		if len(*list) > extract.FileDetails {
			unlisted += extract.TestsIn((*list)[extract.FileDetails:])
			*list = (*list)[:extract.FileDetails]
		}
	}
	if unlisted > 0 {
		out.Unlisted = fmt.Sprintf("and %s more, all of them in junit.xml and report.json", wording.Count(unlisted, "failing test"))
	}
	return out
}

func newHTMLFindings(r *qa.Report) htmlFindings {
	out := htmlFindings{
		Counting:  extract.Counting(r.Findings),
		Suspected: extract.Selected(r.Findings, qa.Finding.Folded),
		SetAside:  extract.Selected(r.Findings, func(f qa.Finding) bool { return !f.Brought() }),
	}
	shown := qa.InFull(out.Counting, r.MaxShown)
	out.InFull, out.Beyond = out.Counting[:shown], extract.Beyond(out.Counting[shown:])
	return out
}

// functions are the verbs of the templates.
func (v *htmlView) functions() template.FuncMap {
	links, add := v.links, extract.ToAdd(v.Findings)
	return template.FuncMap{
		"one":        func(s any) string { return wording.Line(fmt.Sprint(s), 600) },
		"exitOnly":   func() string { return extract.ExitOnly },
		"meaning":    func(c qa.FileClass) string { return extract.ClassMeanings[c] },
		"list":       func(s string) string { return escape.List(s, 240) },
		"test":       func(id string) string { return escape.Name(id, 2*extract.NameLimit) },
		"many":       func(s string) string { return escape.Paragraphs(s, 16_000) },
		"verdict":    extract.Verdict,
		"tone":       tone,
		"gatesTitle": extract.GatesTitle,
		"failTitle":  extract.FailingTitle,
		"excuse":     extract.Excuse,
		"lately":     extract.Lately,
		"unchanged":  func(d *qa.Delta) bool { return extract.Deltas(*d)[0].Word == extract.NothingChanged },
		"findTitle":  extract.FindingsTitle,
		"triage": func(t qa.FailingTest) string {
			return extract.TriageWords(t, func(s string) string { return wording.Line(s, 40) })
		},
		"fraction":       number.Fraction,
		"fractionOf":     number.FractionOf,
		"change":         number.Change,
		"rate":           number.RatePercent,
		"layerRate":      extract.LayerRate,
		"points":         number.Points,
		"duration":       number.Duration,
		"plural":         wording.Count,
		"short":          escape.Short,
		"denominator":    extract.Denominator,
		"ranges":         qa.FormatRanges,
		"lineCount":      extract.LineCount,
		"mutation":       extract.MutationCount,
		"generatedTitle": func(all []qa.GeneratedTest) string { return extract.GeneratedTitle(all, add) },
		"fate":           func(t qa.GeneratedTest) string { return extract.Fate(t, add) },
		"toAdd":          func(p *qa.Proof) bool { return extract.IsToAdd(*p, add) },
		"unproven":       func(f qa.Finding) string { return extract.Unproven(v.Report, f) },
		"covered":        func(c *qa.Count) int { return share(c) },
		"commitURL":      links.Commit,
		"blobURL":        func(path string, lines qa.Range) string { return links.Line(v.Change, path, lines) },
		"run":            func() string { return links.Run },
		"at":             func(n int) qa.Range { return qa.Range{Start: n, End: n} },
		"source":         v.sourceAnchor,
		"words":          func(s string) string { return strings.ReplaceAll(s, "_", " ") },
		"targets":        extract.Targets, "checks": extract.ChecksLeft, "inputs": extract.InputNames,
		"place":       func(path string, lines qa.Range) string { return placeText(path, lines) },
		"sorted":      func(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) },
		"target":      func(percent float64) string { return number.Hundredths(int64(percent*100+0.5)) + " %" },
		"cost":        extract.CostText,
		"perspective": func(f qa.Finding) string { return wording.Line(extract.Perspectives(f), 80) },
		"dismissal":   dismissalText,
		"quarantine":  extract.QuarantineTitle,
		"expired":     func(list []qa.Quarantined) []qa.Quarantined { _, expired := extract.Quarantined(list); return expired },
		"endedFirst":  extract.EndedFirst,
		"watched":     func(r *qa.Report) int { return len(r.Quarantine) + len(r.KnownFlaky) },
		"part":        func(rate float64) string { return number.RatePercent(&rate) },
		"dict":        dict,
	}
}

// dict joins names and values, for templates that take several.
func dict(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return out
}

// sourceAnchor is the fragment of a line in the annotated source, "" when the
// line is not on the page.
func (v *htmlView) sourceAnchor(path string, n int) string {
	i, ok := v.anchor[path]
	if !ok {
		return ""
	}
	if !v.Sources[i].has(n) {
		return fmt.Sprintf("#file-%d", i)
	}
	return fmt.Sprintf("#file-%d-%d", i, n)
}

// tone is the class that colours a verdict or status word.
func tone(word any) string {
	switch fmt.Sprint(word) {
	case string(qa.Pass), "passed", "completed", "ran", "measured", "kept":
		return "good"
	case string(qa.Fail), "failed", "error", "critical", "high", "build-failed":
		return "bad"
	case string(qa.Conditional), string(qa.Inconclusive), "medium", "flaky", "inconclusive", "missing", "timeout":
		return "warn"
	}
	return "mute"
}

// share is a count in whole percent for the width of a bar, cut.
func share(c *qa.Count) int {
	if c == nil || c.Total <= 0 {
		return 0
	}
	return int(int64(c.Covered) * 100 / int64(c.Total))
}

func placeText(path string, lines qa.Range) string {
	if lines.Start > 0 {
		return escape.Name(path, 120) + ":" + lines.String()
	}
	return escape.Name(path, 120)
}

// baselineText names the source of the numbers that head is compared with.
func baselineText(b qa.BaselineSource) string {
	return extract.BaselineWords(b, escape.Short(b.SHA), func(s string) string { return wording.Line(s, 200) })
}

func dismissalText(d *qa.Dismissal) string {
	return extract.Dismissal(d, func(s string) string { return wording.Line(s, 200) })
}
