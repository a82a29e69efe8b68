// Package past is what a run uses of the runs before it: which tests are known to
// be flaky, which findings were there at the last push, how the default branch
// went, and what base is like where base is not measured now. Start at
// [Reader.Recall].
package past

import (
	"context"
	"fmt"
	"time"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
)

// Source is where a run finds what earlier runs taught, and under which name it
// is entered there.
type Source struct {
	// Store is nil for a run without history; Why then says why.
	Store history.Store
	Why   string
	// Name is what the store is called as a baseline source.
	Name string
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

// Memory is all a run uses of the history. It is read once and kept in
// the session: a resumed run compares with what the first one knew, also when
// others were recorded in between.
type Memory struct {
	Problem  string             `json:"problem,omitempty"` // why there is nothing
	Flaky    map[string]float64 `json:"flaky"`             // rate by test
	Seconds  map[string]float64 `json:"seconds,omitempty"` // usual duration by test file, or package of Go
	Patterns []qa.Pattern       `json:"patterns"`
	Lessons  []history.Lesson   `json:"lessons,omitempty"` // about tests, newest last
	Points   []qa.TrendPoint    `json:"points"`
	Ledger   history.Ledger     `json:"ledger"`
	Baseline *history.Baseline  `json:"baseline"`
	Source   qa.BaselineSource  `json:"source"`
	// Quarantine is the configured list, with what of it holds no longer.
	Quarantine []qa.Quarantined `json:"quarantine"`
}

// LessonsByFile are the lessons by the file that their tests are about.
func (m Memory) LessonsByFile() map[string][]string {
	out := map[string][]string{}
	for _, l := range m.Lessons {
		out[l.Path] = append(out[l.Path], l.Text)
	}
	return out
}

// KeptAs is the name of a Memory among the kept results of a session.
const KeptAs = "HISTORY"

// Reader reads the past for one run. Read and Content are needed for what became
// of findings only.
type Reader struct {
	Source
	// Scope tells baselines of parts of a repository apart; empty is the whole.
	Scope  string
	Change qa.Change
	// Covers reports whether the scan of this run looks at a path.
	Covers  func(path string) bool
	Started time.Time
	// Read reads a file of the checkout, Content one of a commit.
	Read    func(path string) ([]byte, error)
	Content func(ctx context.Context, commit, path string) ([]byte, error)
	// asked is what the check runs that were asked for carry.
	asked map[string]string
	deaf  error // why they are not asked any more
}

const shownPoints = 50 // of the trend, in a report

// Recall reads the history before anything runs. One that is missing or cannot be
// read is a Problem of the memory and never an error; the second result is a
// warning.
func (r *Reader) Recall(ctx context.Context, quarantine []config.Quarantine, now time.Time) (Memory, error) {
	out := Memory{Flaky: map[string]float64{}, Quarantine: quarantined(quarantine, now)}
	book, err := history.Read(ctx, r.Store)
	if err != nil {
		out.Problem = fmt.Sprintf("no history for this run: %v", err)
		book = history.New()
	}
	for test := range book.Tests {
		if rate := book.FlakyRate(test, now); rate != nil {
			out.Flaky[test] = *rate
		}
	}
	out.Seconds = book.Durations()
	out.Patterns = each.Of(book.KnownPatterns(now), func(t history.PatternTrace) qa.Pattern { return t.Pattern })
	out.Points = book.History[max(0, len(book.History)-shownPoints):]
	var warning error
	out.Ledger, warning = r.lastLedger(ctx, book)
	out.Lessons = book.Learnt(out.Ledger, now)
	out.Baseline, out.Source = history.First(ctx, r.Ancestors, r.sources(book, err))
	return out, warning
}
