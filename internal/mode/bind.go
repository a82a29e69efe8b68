package mode

import (
	"github.com/org/qa-action/internal/assemble"
	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/layers"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/record"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/trials"
	"github.com/org/qa-action/internal/wording"
)

// measuring is what the baseline needs.
func (r *run) measuring(c *copies.Copies) baseline.Options {
	return baseline.Options{
		Checkout: r.Checkout, Config: r.Config, Session: r.session, Copies: c, Past: r.past, Time: r.time,
		Version: r.Version, Progress: r.Progress, Live: r.Live,
	}
}

// bind gives each role what it works with.
func (r *run) bind(c *copies.Copies) roles {
	out := roles{Config: r.Config, depth: r.kind.Depth, code: related.New(r.Checkout), client: r.Model, base: r.base, turns: r.turns, notes: r.notes}
	if b := r.past.Baseline; b != nil {
		out.remembered = b.Lines
	}
	if r.Model != nil {
		out.code = related.Wide(r.Checkout)
		out.tokens = budget.NewTokens(r.Model.Left, r.notes.Cut)
	}
	out.scout = scout.Scout{
		Checkout: r.Checkout, Config: r.Config, Copies: c, Code: out.code, Patterns: r.past.Patterns, Files: r.Files,
		Client: r.Model, Tokens: out.tokens, Progress: r.Progress, Now: r.Now, Memory: scan.Recall(r.Scanned), Kept: r.Scanned,
	}
	out.writer = generator.Writer{Checkout: r.Checkout, Config: r.Config, Code: out.code, Client: r.Model, Warn: r.notes.Warn, Lessons: r.past.LessonsByFile()}
	out.evidence.Ledger = r.past.Ledger
	tests, strange := r.reader().Evidence(r.past)
	if out.evidence.Tests = tests; strange > 0 {
		r.notes.Warn("%s that the history remembers were left out: no run can have left them so", wording.Count(strange, "test"))
	}
	out.meter = layers.Meter{Checkout: r.Checkout, Config: r.Config, Session: r.session, Copies: c, Time: r.time, Notes: r.notes, Live: r.Live}
	out.trials = trials.Runner{
		Checkout: r.Checkout, Config: r.Config, Session: r.session, Copies: c, Code: out.code, Notes: r.notes, Results: r.results,
		Output: r.Output, Live: r.Live, Lint: out.scout.Lint, Now: r.Now,
	}
	return out
}

// recorder writes into the session.
func (r *run) recorder() record.Recorder {
	return record.Recorder{Session: r.session, Notes: r.notes, Config: r.Config, Version: r.Version, Read: r.Read, Now: r.Now, Inputs: r.inputs}
}

// about says of which run a report is.
func (r *run) about() assemble.About {
	a := assemble.About{Checkout: r.Checkout, Config: r.Config, Repository: r.Repository, Version: r.Version, Kind: r.kind, Time: r.time}
	if r.session != nil {
		a.Session = r.session.ID()
	}
	return a
}

// writer writes reports.
func (r *run) writer() assemble.Writer {
	return assemble.Writer{About: r.about(), Session: r.session, Output: r.Output, Notes: r.notes, HeadLine: r.HeadLine}
}

// assembly is everything that the report is made of.
func (r *run) assembly() assemble.Assembly {
	a := assemble.Assembly{
		About: r.about(), State: r.state, Baseline: r.base.Known(), Mutants: r.results.Mutants(), Code: r.roles.code,
		Past: r.reader(), Memory: r.past, HeadLine: r.HeadLine, Use: r.use, Notes: r.notes,
	}
	for _, err := range r.Output.Refused() {
		if text := err.Error(); text != r.Past.Why { // why there is no history is said elsewhere
			a.Refused = append(a.Refused, text)
		}
	}
	return a
}

// reader reads the past for this run.
func (r *run) reader() *past.Reader {
	return &past.Reader{
		Source: r.Past, Scope: scope(r.Config), Change: r.Change, Covers: engine.Subject{Within: scout.Within(r.Config), Share: scout.Share(r.Config)}.Covers,
		Started: r.time.Started, Read: r.Read, Content: r.Content,
	}
}
