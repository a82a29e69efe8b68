package mode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/scan"
)

// Past is where a run finds what earlier runs taught, and under which name it
// is entered there.
type Past struct {
	// Store is nil for a run without history; Why then says why.
	Store history.Store
	Why   string
	// Rung is how the store is called in the baseline ladder.
	Rung string
	// Ref is the branch, or "pr/<number>"; empty has no ledger.
	Ref string
	// Default marks the default branch, whose runs teach all others.
	Default bool
	// ReadOnly says why a run reads Store and is not recorded there.
	ReadOnly string
	// Ancestors are the merge base and the commits before it, nearest first.
	Ancestors []string
	// Carried reads back what the check run of a commit carries, "" when there
	// is none of ours; nil where check runs cannot be asked for.
	Carried func(ctx context.Context, sha string) (string, error)
	// Room is how many bytes this run's own check run can carry.
	Room int
	// Before is the head of the last push of Ref, empty when unknown.
	Before string
}

// recollection is all a run uses of the history. It is read once and kept in
// the session: a resumed run compares with what the first one knew, also when
// others were recorded in between.
type recollection struct {
	Problem  string             `json:"problem,omitempty"` // why there is nothing
	Flaky    map[string]float64 `json:"flaky"`             // rate by test
	Patterns []qa.Pattern       `json:"patterns"`
	Points   []qa.TrendPoint    `json:"points"`
	Ledger   history.Ledger     `json:"ledger"`
	Baseline *history.Baseline  `json:"baseline"`
	Source   qa.BaselineSource  `json:"source"`
	// Quarantine is the configured list, with what of it holds no longer.
	Quarantine []qa.Quarantined `json:"quarantine"`
}

const (
	keptHistory = "HISTORY" // its name among the kept results
	shownPoints = 50        // of the trend, in a report
)

// recall reads the history before anything runs. A history that is missing or
// cannot be read never fails the run: it is a warning, and nothing is recorded
// over it.
func (r *run) recall(ctx context.Context) {
	if !r.session.Kept(keptHistory, r.session.ID(), &r.past) {
		r.past = r.recollect(ctx)
		r.note(r.session.Keep(keptHistory, r.session.ID(), r.past))
	}
	if p := r.past.Problem; p != "" {
		r.warnings = append(r.warnings, p)
	}
}

func (r *run) recollect(ctx context.Context) recollection {
	out := recollection{Flaky: map[string]float64{}, Quarantine: quarantined(r.Config.Quarantine, r.Now())}
	book, err := history.Read(ctx, r.Past.Store)
	if err != nil {
		out.Problem = fmt.Sprintf("no history for this run: %v", err)
		book = history.New()
	}
	now := r.Now()
	for test := range book.Tests {
		if rate := book.FlakyRate(test, now); rate != nil {
			out.Flaky[test] = *rate
		}
	}
	for _, t := range book.KnownPatterns(now) {
		out.Patterns = append(out.Patterns, t.Pattern)
	}
	out.Points = book.History[max(0, len(book.History)-shownPoints):]
	out.Ledger = r.lastLedger(ctx, book)
	out.Baseline, out.Source = history.Climb(ctx, r.Past.Ancestors, r.rungs(book, err))
	return out
}

// compare enters what earlier runs know into a report that has its findings,
// tests, coverage and engines: the trend, what became of findings since the
// last push, and a baseline where base was not measured. It changes nothing
// else, so it may be called for every report of a run.
func (r *run) compare(p *qa.Report) {
	r.standIn(p)
	r.trend(p)
	p.KnownFlaky, p.Quarantine = r.past.watched(p.Tests.Cases)
	_, p.Findings, p.Since = r.past.Ledger.Advance(r.push(p))
	if p.Partial {
		// What did not run has not passed and is not fixed.
		p.Since = nil
	}
}

// standIn takes the numbers of base from an earlier run where base was not
// measured now.
func (r *run) standIn(p *qa.Report) {
	b, c := r.past.Baseline, &p.Coverage
	none := p.Baseline.Rung == "none" || p.Baseline.Rung == ""
	if b == nil {
		if none && r.past.Source.Reason != "" {
			p.Baseline = qa.BaselineSource{Rung: "none", Reason: strings.TrimPrefix(p.Baseline.Reason+"; "+r.past.Source.Reason, "; ")}
		}
		return
	}
	if lines := c.Head != nil && c.BaseLines == nil && b.Lines != nil; !lines && !none {
		return
	}
	if p.Baseline != r.past.Source { // base was not compared with this digest alone
		why := p.Baseline.Reason
		if !none {
			why = "coverage of base was not measured in this run"
		}
		p.Baseline = r.past.Source
		p.Baseline.Reason = why
	}
	if c.Head == nil || c.BaseLines != nil {
		return
	}
	c.BaseLines = b.Lines
	for i := range c.Files {
		f, ok := r.Change.File(c.Files[i].Path)
		if n, had := b.Files[f.BasePath()]; ok && had && c.Files[i].Base == nil {
			c.Files[i].Base = &n
		}
	}
}

// trend puts this run behind the points of the default branch. A run whose
// coverage is unknown says nothing about a direction.
func (r *run) trend(p *qa.Report) {
	var points []qa.TrendPoint
	for _, point := range r.past.Points {
		if point.SHA != p.Change.Head { // the same commit again replaces its point
			points = append(points, point)
		}
	}
	if len(points) == 0 {
		p.Trend = quality.TrendOf(nil)
		return
	}
	now := point(p)
	p.Trend = quality.TrendOf(append(points, now))
	if now.Coverage == nil {
		p.Trend.Direction, p.Trend.Confidence = "insufficient_data", "low"
	}
}

func point(p *qa.Report) qa.TrendPoint {
	out := qa.TrendPoint{Date: p.Started, SHA: p.Change.Head, Score: p.Score.Value}
	for _, f := range p.Findings {
		if f.Counts() {
			out.Issues++
		}
	}
	if c := p.Coverage.Head; c != nil && c.Lines != nil {
		if rate, ok := c.Lines.Rate(); ok {
			out.Coverage = &rate
		}
	}
	return out
}

// push is the run as the ledger sees it.
func (r *run) push(p *qa.Report) history.Push {
	ran := map[string]bool{}
	for _, e := range p.Manifest.Engines {
		ran[e.Name] = e.State == "ran"
	}
	var failing []string
	for _, f := range p.Tests.Failing {
		if f.Triage != qa.FlakyFailure {
			failing = append(failing, f.Case.ID())
		}
	}
	seen := scan.Request{Within: Within(r.Config)} // what nobody looked at is not gone
	return history.Push{
		Head: p.Change.Head, Date: r.started, Findings: p.Findings, Failing: failing,
		Changed: func(e history.Entry) bool { return seen.Covers(e.Path) && r.changed(e) },
		Ran:     func(engine string) bool { return ran[engine] && !p.Partial },
	}
}

// around is how many lines beside a finding belong to its code: a fix seldom
// is further away.
const around = 3

// changed reports whether the code of a ledger's entry is gone or was changed
// since the entry was seen. Where that commit cannot be read any more, as after
// a force push, the quoted code alone decides.
func (r *run) changed(e history.Entry) bool {
	now, err := r.read(e.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		return false // unknown is not gone
	}
	code := e.Quote
	if then, err := r.Content(context.Background(), e.Seen, e.Path); err == nil && e.Lines.Start > 0 {
		lines := strings.Split(string(then), "\n")
		from, to := max(0, e.Lines.Start-1-around), min(len(lines), e.Lines.End+around)
		if from < to {
			code = strings.Join(lines[from:to], "\n")
		}
	}
	if code == "" {
		return false
	}
	return !strings.Contains(squeezed(string(now)), squeezed(code))
}

// squeezed is text without the difference that layout makes.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// enter records a finished run, and writes its badge. A run that was cut short
// or that looked at uncommitted edits teaches nothing: what it says belongs to
// no commit.
func (r *run) enter(ctx context.Context, p *qa.Report) {
	if n := len(p.Trend.Points); n > 0 {
		p.Trend.Points[n-1].Score = p.Score.Value
	}
	now := point(p)
	var percent *float64
	if now.Coverage != nil {
		v := 100 * *now.Coverage
		percent = &v
	}
	if err := r.session.WriteFile("badge.svg", history.Badge("coverage", percent)); err != nil {
		p.Manifest.Warnings = append(p.Manifest.Warnings, err.Error())
	}
	r.keepShard()
	ledger, _, _ := r.past.Ledger.Advance(r.push(p))
	r.carry = r.carryOn(p, ledger)
	switch {
	case r.Past.Store == nil:
		p.Manifest.Skipped["history"] = cmp.Or(r.Past.Why, "not kept")
		return
	case r.past.Problem != "":
		p.Manifest.Skipped["history"] = "not recorded, because what is there cannot be read"
		return
	case r.Past.ReadOnly != "":
		p.Manifest.Skipped["history"] = "not recorded: " + r.Past.ReadOnly
		return
	case p.Change.Dirty:
		p.Manifest.Skipped["history"] = "not recorded: there are uncommitted edits"
		return
	case p.Partial:
		p.Manifest.Skipped["history"] = "not recorded: the run is not complete"
		return
	}
	entry := history.Run{
		// The id of a session comes again in another workspace, its time does not.
		ID: p.Session + " " + r.session.Meta().Created, SHA: p.Change.Head, Ref: r.Past.Ref, Date: r.started, Default: r.Past.Default,
		Point: now, Patterns: p.Patterns, Cases: p.Tests.Cases, Ledger: listed(r, ledger), Baseline: r.digest(p),
	}
	if _, err := history.Add(ctx, r.Past.Store, entry); err != nil {
		p.Manifest.Warnings = append(p.Manifest.Warnings, fmt.Sprintf("this run is not in the history: %v", err))
	}
	r.note(r.session.Remember(Analyst, "coverage_history", listed(r, p.Trend.Points)))
}
