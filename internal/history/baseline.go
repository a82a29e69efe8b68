package history

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// The bounds of what is kept of one commit, and of how many.
const (
	maxBaselineFiles = 20_000
	maxBaselineTests = 60_000
	maxOpened        = 20_000
	maxExecuted      = 60_000  // lines and names of all suites together
	maxDetails       = 300_000 // beside them, of single tests
	// Changes are compared with the newest commits: only of those a large suite keeps the
	// names of its tests and files, without which base runs again.
	maxNewest = 5
	// Of the older ones.
	maxBaselines  = 30
	maxOlderFiles = 5_000
	maxOlderTests = 2_000
)

// Baseline is the digest of a run to compare later runs with: small enough to
// be carried by a check run or a cache.
type Baseline struct {
	SHA string `json:"sha"`
	// Scope is the directory that was measured, empty for the whole repository.
	Scope string    `json:"scope,omitempty"`
	Lines *qa.Count `json:"lines"` // nil when coverage was not measured
	// Files is the line coverage by path; Cut says that some were left out.
	Files   map[string]qa.Count `json:"files,omitempty"`
	Tests   *qa.Tally           `json:"tests"`
	Failing []string            `json:"failing,omitempty"` // ids, sorted
	Score   *int                `json:"score"`
	// Suites names the tests by target; nil when there were too many of them, or
	// not all could be run.
	Suites map[string]Suite `json:"suites,omitempty"`
	Cut    bool             `json:"cut,omitempty"`
	// Opened are the files that the whole suite opened, sorted; only where Whole
	// is set does a file that is not among them say that no test reads it. Reading names
	// what that follows from beside the commit.
	Opened  []string `json:"opened,omitempty"`
	Whole   bool     `json:"whole,omitempty"`
	Reading string   `json:"reading,omitempty"`
}

// Suite is the tests of a target by outcome, as ids in any order.
type Suite struct {
	// Key names what the outcome follows from beside the commit: the target, the
	// place where it ran, and who judged it.
	Key     string   `json:"key,omitempty"`
	Passed  []string `json:"passed,omitempty"`
	Failed  []string `json:"failed,omitempty"`
	Skipped []string `json:"skipped,omitempty"`
	Flaky   []string `json:"flaky,omitempty"`
	// Wrote are the files of the project that the suite wrote.
	Wrote []string `json:"wrote,omitempty"`
	// Executed is which functions each of its units enters; nil where that is not known,
	// or more than is kept.
	Executed *qa.Execution `json:"executed,omitempty"`
}

// SuiteOf names the tests of a suite.
func SuiteOf(cases []qa.Case) Suite {
	var s Suite
	for _, c := range cases {
		switch {
		case c.Status.Bad():
			s.Failed = append(s.Failed, c.ID())
		case c.Status == qa.Skipped:
			s.Skipped = append(s.Skipped, c.ID())
		case c.Status == qa.Flaky:
			s.Flaky = append(s.Flaky, c.ID())
		default:
			s.Passed = append(s.Passed, c.ID())
		}
	}
	return s
}

// Cases are the tests with nothing but name and outcome; their ids are their
// names.
func (s Suite) Cases() []qa.Case {
	var out []qa.Case
	for _, part := range []struct {
		ids    []string
		status qa.Status
	}{{s.Passed, qa.Passed}, {s.Failed, qa.Failed}, {s.Skipped, qa.Skipped}, {s.Flaky, qa.Flaky}} {
		for _, id := range part.ids {
			out = append(out, qa.Case{Name: id, Status: part.status})
		}
	}
	return out
}

// Bounded drops the names when there are too many of them.
func (b Baseline) Bounded() Baseline { return b.atMost(maxBaselineTests) }

// older is what is kept of a commit once newer ones are there.
func (b Baseline) older() Baseline {
	if b = b.atMost(maxOlderTests); len(b.Files) > maxOlderFiles {
		b.Files, b.Cut = nil, true
	}
	if len(b.Opened) > maxOlderFiles {
		b.Opened, b.Whole = nil, false
	}
	return b
}

func (b Baseline) atMost(tests int) Baseline {
	n := 0
	for _, s := range b.Suites {
		n += len(s.Passed) + len(s.Failed) + len(s.Skipped) + len(s.Flaky)
	}
	if n > tests {
		b.Suites, b.Cut = nil, true
	}
	executed, details := 0, 0
	for _, s := range b.Suites {
		if s.Executed != nil {
			executed, details = executed+s.Executed.Size(), details+s.Executed.Details()
		}
	}
	if details > maxDetails {
		b = b.withExecuted((*qa.Execution).Undetailed)
	}
	if executed > maxExecuted {
		b = b.withExecuted(unexecuted)
	}
	if len(b.Opened) > maxOpened {
		b.Opened, b.Whole = nil, false
	}
	return b
}

// withExecuted is the baseline with less of what its suites executed.
func (b Baseline) withExecuted(less func(*qa.Execution) *qa.Execution) Baseline {
	b.Suites = maps.Clone(b.Suites)
	for name, s := range b.Suites {
		s.Executed = less(s.Executed)
		b.Suites[name] = s
	}
	return b
}

// unexecuted is nothing of what a suite executed.
func unexecuted(*qa.Execution) *qa.Execution { return nil }

// BaselineOf digests a report.
func BaselineOf(r qa.Report) Baseline {
	b := Baseline{SHA: r.Change.Head, Score: r.Score.Value}
	if r.Tests.Head.Executed() > 0 {
		tally := r.Tests.Head
		b.Tests = &tally
	}
	for _, f := range r.Tests.Failing {
		b.Failing = append(b.Failing, f.Case.ID())
	}
	b.Failing = each.Sorted(b.Failing)
	if len(b.Failing) > maxBaselineTests {
		b.Failing, b.Cut = b.Failing[:maxBaselineTests], true
	}
	b.covered(r.Coverage.Head)
	return b
}

// MeasuredOnBase digests what a run of a change measured on the commit that the change
// is compared with. c is nil where no coverage was measured.
func MeasuredOnBase(sha string, suites map[string]Suite, c *qa.Coverage) Baseline {
	b := Baseline{SHA: sha, Suites: suites}
	for _, s := range suites {
		b.Failing = append(b.Failing, s.Failed...)
	}
	b.Failing = each.Sorted(b.Failing)
	b.covered(c)
	return b
}

// covered enters coverage, nil where there is none.
func (b *Baseline) covered(c *qa.Coverage) {
	if c == nil || c.Lines == nil {
		return
	}
	b.Lines, b.Files = c.Lines, map[string]qa.Count{}
	for _, f := range c.Files { // sorted by path, so a cut is always the same
		if len(b.Files) == maxBaselineFiles {
			b.Cut = true
			break
		}
		if f.LineCount != nil {
			b.Files[f.Path] = *f.LineCount
		}
	}
}

// Baseline finds the digest of a scope at the nearest of some commits, nearest
// first; nil when there is none.
func (b Book) Baseline(ancestors []string, scope string) *Baseline {
	for _, sha := range ancestors {
		for i := range b.Baselines {
			if b.Baselines[i].SHA == sha && b.Baselines[i].Scope == scope {
				return &b.Baselines[i]
			}
		}
	}
	return nil
}

// Base is what a run of a change measured on the commit that it was compared with; nil
// when none is kept.
func (b Book) Base(sha, scope string) *Baseline {
	for i := range b.Bases {
		if b.Bases[i].SHA == sha && b.Bases[i].Scope == scope && b.Bases[i].possible() {
			return &b.Bases[i]
		}
	}
	return nil
}

// Source is one place where a baseline may be found.
type Source struct {
	// Name is one of qa.BaselineSource.Kind: check-run, cache, history, base-run.
	Name string
	// Find returns nil without an error when the place has none.
	Find func(ctx context.Context) (*Baseline, error)
	// Silent is one of which it is not worth a word that it has none.
	Silent bool
}

// First takes the baseline of the first source that has a usable one. ancestors
// are the merge base and the commits before it, nearest first: a baseline of
// any other commit belongs to another line of history and is passed over. The
// qa.BaselineSource says which it was, how many commits it is behind, and why those
// before it were not used. No baseline at all is source "none", never an error.
func First(ctx context.Context, ancestors []string, sources []Source) (*Baseline, qa.BaselineSource) {
	var passed []string
	for _, source := range sources {
		b, err := source.Find(ctx)
		switch {
		case err != nil:
			passed = append(passed, fmt.Sprintf("%s: %v", source.Name, err))
		case b == nil && source.Silent:
		case b == nil:
			passed = append(passed, source.Name+": has none")
		default:
			behind := slices.Index(ancestors, b.SHA)
			if behind < 0 {
				passed = append(passed, fmt.Sprintf("%s: commit %s is not before the change", source.Name, b.SHA[:min(7, len(b.SHA))]))
				continue
			}
			return b, qa.BaselineSource{Kind: source.Name, SHA: b.SHA, Behind: behind, Reason: strings.Join(passed, "; ")}
		}
	}
	return nil, qa.BaselineSource{Kind: "none", Reason: strings.Join(passed, "; ")}
}
