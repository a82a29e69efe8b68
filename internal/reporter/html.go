package reporter

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

//go:embed html
var htmlFiles embed.FS

// renderHTML writes report.html: one file that loads nothing and runs nothing,
// so that it can be opened from an artifact, offline, with scripts switched
// off. html/template escapes for the context; what is not meant to be seen at
// all is removed by escape.go before.
func renderHTML(w io.Writer, r *qa.Report, o Options) error {
	view := newHTMLView(r, o)
	t, err := template.New("page.html").Funcs(view.functions()).ParseFS(htmlFiles, "html/*")
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
	Facts     []string
	Gates     []qa.Gate
	Files     []qa.FileRow
	Generated []qa.GeneratedTest
	Sources   []sourceFile
	Unshown   string // what of the source is not shown, and why
	Trend     *trendChart
	Timeline  *timeline
	Baseline  string
	Warnings  []string

	page   page
	anchor map[string]int // path → index of its source view
}

// htmlFailing are the failing tests that a page can show.
type htmlFailing struct {
	Attention []failGroup
	Excused   []failGroup
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

// htmlSaw is what the run saw of the changed files, and what it could not do.
type htmlSaw struct {
	Classes []classFiles
	Saw     string // the account in one line
	Undone  []string
}

func newHTMLView(r *qa.Report, o Options) *htmlView {
	p := page{r: r, o: o}
	v := &htmlView{
		Report: r, page: p, Gates: sortedGates(r.Gates),
		Files: fileRows(r.Coverage.Files), Generated: keptFirst(r.Generated),
		Trend: newTrendChart(r.Trend), Timeline: newTimeline(r.Manifest.Tasks),
		Warnings: slices.Concat(r.Change.Notes, r.Coverage.Warnings, r.Manifest.Warnings),
		anchor:   map[string]int{},
	}
	for _, fact := range p.facts() {
		v.Facts = append(v.Facts, strings.ReplaceAll(fact, "**", ""))
	}
	if r.Coverage.Head != nil {
		v.Warnings = append(v.Warnings, r.Coverage.Head.Conflicts...)
	}
	v.htmlFailing, v.htmlFindings = newHTMLFailing(failGroups(r.Tests)), newHTMLFindings(r)
	v.Classes, v.Undone = accountOf(r), notDone(r)
	v.Saw = accountTitle(r, v.Classes)
	v.Baseline = baselineText(r.Baseline)
	v.Sources, v.Unshown = sourceFiles(r, o.Source)
	for i, s := range v.Sources {
		v.anchor[s.Path] = i
	}
	return v
}

// newHTMLFailing takes the groups that a page can show: a browser opens some
// hundred quickly, not some thousand.
func newHTMLFailing(groups []failGroup) htmlFailing {
	out := htmlFailing{Attention: attentionGroups(groups), Excused: append(groupsOf(groups, qa.PreExisting), groupsOf(groups, qa.FlakyFailure)...)}
	if out.Open = len(out.Attention); out.Open > openNames {
		out.Open = openNames / 4 // so that the others are in reach
	}
	unlisted := 0
	for _, list := range []*[]failGroup{&out.Attention, &out.Excused} {
		if len(*list) > fileDetails {
			unlisted += testsIn((*list)[fileDetails:])
			*list = (*list)[:fileDetails]
		}
	}
	if unlisted > 0 {
		out.Unlisted = fmt.Sprintf("and %s more, all of them in junit.xml and report.json", wording.Count(unlisted, "failing test"))
	}
	return out
}

func newHTMLFindings(r *qa.Report) htmlFindings {
	out := htmlFindings{
		Counting: counting(r.Findings),
		Suspected: selected(r.Findings, func(f qa.Finding) bool {
			return f.Evidence == qa.Suspected && (f.Status == qa.StatusNew || f.Status == qa.StatusReopened)
		}),
		SetAside: selected(r.Findings, func(f qa.Finding) bool {
			return f.Status != qa.StatusNew && f.Status != qa.StatusReopened
		}),
	}
	shown := qa.InFull(out.Counting, r.MaxShown)
	out.InFull, out.Beyond = out.Counting[:shown], beyond(out.Counting[shown:])
	return out
}

// functions are the verbs of the templates.
func (v *htmlView) functions() template.FuncMap {
	links := v.page.o.Links
	return template.FuncMap{
		"one":        func(s any) string { return wording.Line(fmt.Sprint(s), 600) },
		"exitOnly":   func() string { return exitOnly },
		"meaning":    func(c qa.FileClass) string { return classMeanings[c] },
		"list":       func(s string) string { return list(s, 240) },
		"test":       func(id string) string { return name(id, 2*nameLimit) },
		"many":       func(s string) string { return paragraphs(s, 16_000) },
		"verdict":    verdict,
		"tone":       tone,
		"gatesTitle": gatesTitle,
		"failTitle":  failingTitle,
		"excuse":     excuse,
		"lately":     lately,
		"unchanged":  func(d *qa.Delta) bool { return deltas(*d)[0].word == nothingChanged },
		"findTitle":  findingsTitle,
		"triage": func(t qa.FailingTest) string {
			return triageWords(t, func(s string) string { return wording.Line(s, 40) })
		},
		"fraction":    fraction,
		"fractionOf":  fractionOf,
		"change":      change,
		"rate":        ratePercent,
		"layerRate":   layerRate,
		"points":      points,
		"duration":    duration,
		"plural":      wording.Count,
		"short":       short,
		"denominator": denominator,
		"ranges":      qa.FormatRanges,
		"lineCount":   lineCount,
		"mutation":    mutationCount,
		"kept":        keptTests,
		"covered":     func(c *qa.Count) int { return share(c) },
		"commitURL":   links.Commit,
		"blobURL":     func(path string, lines qa.Range) string { return v.page.address(path, lines) },
		"run":         func() string { return links.Run },
		"at":          func(n int) qa.Range { return qa.Range{Start: n, End: n} },
		"source":      v.sourceAnchor,
		"words":       func(s string) string { return strings.ReplaceAll(s, "_", " ") },
		"inputs":      inputNames,
		"place":       func(path string, lines qa.Range) string { return placeText(path, lines) },
		"sorted":      func(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) },
		"target":      func(percent float64) string { return hundredths(int64(percent*100+0.5)) + " %" },
		"cost":        func(c *float64) string { return costText(c) },
		"perspective": func(f qa.Finding) string { return wording.Line(perspectives(f), 80) },
		"dismissal":   dismissalText,
		"quarantine":  quarantineTitle,
		"expired":     func(list []qa.Quarantined) []qa.Quarantined { _, expired := quarantined(list); return expired },
		"endedFirst":  endedFirst,
		"watched":     func(r *qa.Report) int { return len(r.Quarantine) + len(r.KnownFlaky) },
		"part":        func(rate float64) string { return ratePercent(&rate) },
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
		return name(path, 120) + ":" + lines.String()
	}
	return name(path, 120)
}
