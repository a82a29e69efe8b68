package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/timing"
	"github.com/org/qa-action/internal/wording"
)

// slot is the place of one engine in a run; nobody else writes to it.
type slot struct {
	engine engine.Engine
	pass   *engine.Pass
	hits   []finding.Reported
	row    qa.Engine
	// onBase says of the files that the engine was also run over on base
	// whether they parsed there not.
	onBase map[string]bool
	// unread are files of which it could say nothing.
	unread []*engine.File
}

// runAll runs the engines side by side, each in its own slot.
func runAll(ctx context.Context, req Request, t *engine.Tree, picked []engine.Engine) []*slot {
	asked := req.Asked(t)
	slots := make([]*slot, len(picked))
	var wg sync.WaitGroup
	for i, e := range picked {
		s := &slot{engine: e, row: qa.Engine{Name: e.Name, State: "ran"}}
		slots[i] = s
		s.pass = &engine.Pass{AbsRoot: req.ExecRoot, Files: t.Of(e.Languages), Subject: req.Subject, Hands: req.Hands, Tree: t}
		if !overlap(e.Perspectives, asked) {
			s.row.State, s.row.Reason = "skipped", "no perspective it speaks to was asked for"
			continue
		}
		if len(s.pass.Files) == 0 {
			s.row.State, s.row.Reason = "skipped", engine.NoFiles
			continue
		}
		wg.Go(func() { s.run(ctx, req.Timeout) })
	}
	wg.Wait()
	return slots
}

// run runs the slot's engine. What it costs when it hangs, panics or prints
// garbage is its own findings and one row that says so.
func (s *slot) run(ctx context.Context, limit time.Duration) {
	ctx, end := timing.Begin(ctx, timing.Engines, s.engine.Name)
	defer end()
	start := time.Now()
	hits, version, err := guard(ctx, limit, s.engine, s.pass)
	s.row.Version = version
	s.row.Seconds = time.Since(start).Round(time.Millisecond).Seconds()
	if len(hits) > engine.MaxHits {
		err = errors.Join(err, fmt.Errorf("%d findings, only the first %d are kept", len(hits), engine.MaxHits))
		hits = hits[:engine.MaxHits]
	}
	for _, h := range hits {
		h.Engine = cmp.Or(h.Engine, s.engine.Name)
		s.hits = append(s.hits, finding.Reported{Hit: h, Own: s.engine.LineOnly, Brought: s.engine.Compares})
	}
	s.row.State, s.row.Reason = state(err, limit)
	var unread *engine.UnreadError
	if errors.As(err, &unread) {
		s.unread = unread.Files
	}
	var missing engine.MissingError
	s.row.Optional = errors.As(err, &missing) && missing.Ours()
}

// guard calls the engine under its time limit and turns a panic into an error.
// An engine that ignores its context is left behind, not waited for: it holds
// nothing that anyone else writes.
func guard(ctx context.Context, limit time.Duration, e engine.Engine, p *engine.Pass) (hits []engine.Hit, version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type outcome struct {
		hits    []engine.Hit
		version string
		err     error
	}
	done := make(chan outcome, 1)
	own := *p
	go func() {
		var out outcome
		defer func() {
			if r := recover(); r != nil {
				out.err = fmt.Errorf("crashed: %v", r)
			}
			done <- out
		}()
		out.hits, out.err = e.Look(ctx, &own)
		if skipped := engine.SkipError(""); !own.Base && !errors.As(out.err, &skipped) {
			out.version = own.Version(ctx, e)
		}
	}()
	select {
	case out := <-done:
		return out.hits, out.version, out.err
	case <-ctx.Done():
	}
	select { // a program needs a moment to be killed and reaped
	case out := <-done:
		return out.hits, out.version, errors.Join(ctx.Err(), out.err)
	case <-time.After(grace):
		return nil, "", ctx.Err()
	}
}

const grace = 5 * time.Second

// state puts an engine's error into the manifest's words.
func state(err error, limit time.Duration) (state, reason string) {
	var missing engine.MissingError
	var skip engine.SkipError
	switch {
	case err == nil:
		return "ran", ""
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout", fmt.Sprintf("stopped after %s; raise the time limit or scan fewer files", limit)
	case errors.As(err, &missing):
		return "missing", wording.Cut(missing.Error(), 500)
	case errors.As(err, &skip):
		return "skipped", skip.Error()
	}
	return "failed", wording.Cut(strings.ReplaceAll(err.Error(), "\n", "; "), 500)
}

// yield drops what an engine of ours says where the repository's own rules
// were applied: its maintainers decided what they want to hear. Security is
// not theirs to switch off for a reviewer.
func yield(slots []*slot) {
	ran := map[string]bool{}
	for _, s := range slots {
		ran[s.engine.Name] = s.row.State == "ran"
	}
	for _, s := range slots {
		i := slices.IndexFunc(s.engine.YieldsTo, func(name string) bool { return ran[name] })
		if i < 0 || s.row.State != "ran" {
			continue
		}
		kept := s.hits[:0]
		for _, h := range s.hits {
			if slices.Contains(engine.RuleFor(h.Hit).Perspectives, qa.Security) {
				kept = append(kept, h)
			}
		}
		s.hits = kept
		s.row.Reason = fmt.Sprintf("the repository's own %s rules were applied: only security findings are kept", s.engine.YieldsTo[i])
	}
}

// engineRows counts the settled findings of each engine.
func engineRows(slots []*slot, res finding.Result) []qa.Engine {
	count := map[string]int{}
	for _, list := range [][]qa.Finding{res.Findings, res.Cut} {
		for _, f := range list {
			for _, e := range f.Engines {
				count[e]++
			}
		}
	}
	rows := make([]qa.Engine, len(slots))
	for i, s := range slots {
		rows[i] = s.row
		rows[i].Findings = count[s.engine.Name]
	}
	return rows
}

func overlap(a, b []qa.Perspective) bool {
	return slices.ContainsFunc(a, func(p qa.Perspective) bool { return slices.Contains(b, p) })
}
