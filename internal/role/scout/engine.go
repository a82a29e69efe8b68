package scout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/source/versions"
	"github.com/org/qa-action/internal/wording"
)

// shownAround is how many characters of callers and callees one request shows.
const shownAround = 3000

// notAnswered is why a scan by a model is not whole.
const notAnswered = "not every request was answered"

// Bounds of a model's words about risks.
const (
	mostNotes   = 5
	longestNote = 300
)

// modelScan adds a model's findings to the engines'. A model that fails leaves
// what it found until then; the manifest says so.
func (s Scout) modelScan(ctx context.Context, req scan.Request) (finding.Result, []string, error) {
	m := model{
		Ask: llm.Asker[reply](s.Client),
	}
	in := input{Perspectives: s.modelPerspectives(), Words: s.Words(ctx), Patterns: s.Patterns}
	unseen := unseen{}
	for _, f := range s.Change.Files {
		if f.Kind != qa.KindSource || f.Generated || !req.Covers(f.Path) {
			continue
		}
		if file, why := s.shown(ctx, f); why == "" {
			in.Files = append(in.Files, file.pieces(unseen)...)
		} else {
			unseen[f.Path] = why
		}
	}
	if len(in.Perspectives) == 0 || len(in.Files)+len(unseen) == 0 {
		return finding.Result{}, nil, nil // nothing but test coverage was asked for, or no source changed
	}
	var twins map[string]string
	in.Files, twins = s.once(ctx, in.Files)
	if left, ok := s.Tokens.ForScan(); ok {
		asked := in.Files
		var cuts []string
		if in, cuts = m.Fit(in, left); len(cuts) > 0 {
			s.Tokens.Shorten(cuts)
		}
		unseen.without(asked, in.Files, "the token budget does not suffice")
	}
	found, err := m.Scan(ctx, in)
	for _, path := range found.Unanswered {
		unseen[path] = "the model gave no usable answer"
	}
	for _, path := range found.TooLong {
		unseen[path] = "the model's window does not hold it"
	}
	engine := qa.Engine{Name: "model", State: "ran", Findings: len(found.Hits), Reason: dropped(found.Dropped), Alike: unseen.alike(twins), Unseen: unseen, Reviewed: unseen.others(in.Files)}
	if err != nil { // what it did not look at is not clean
		fmt.Fprintf(s.Progress, "model: %v\n", err)
		engine.State, engine.Reason = "failed", notAnswered
	}
	res, err := scan.Settle(req, found.Hits)
	if err != nil {
		return res, nil, err
	}
	s.fresh(ctx, res.Findings)
	res.Engines = []qa.Engine{engine}
	return res, noted(found.Risks), nil
}

// fresh marks what is said of functions to which nothing of before the change leads: there
// is nothing that it could be held against.
func (s Scout) fresh(ctx context.Context, findings []qa.Finding) {
	if len(findings) == 0 {
		return
	}
	is := related.Fresh(ctx, s.Code)
	for i, f := range findings {
		findings[i].Fresh = f.Symbol != "" && is(f.Path, f.Symbol)
	}
}

// shown is a changed file as the scout is shown it; why says that it cannot be.
func (s Scout) shown(ctx context.Context, f qa.FileChange) (file shownFile, why string) {
	if f.Status == qa.Deleted {
		return s.gone(ctx, f)
	}
	src, err := s.Read(f.Path)
	switch {
	case err != nil:
		return file, "it cannot be read"
	case f.Binary:
		return file, "it is no text"
	}
	out := shownFile{Instructions: s.Config.InstructionsFor(f.Path), Version: versions.Go(s.Read, f.Path)}
	var touched []qa.Function
	out.Side, touched = s.Code.Side(ctx, f, src)
	out.Lost = s.lost(out.Side)
	out.Context = s.around(out.Side, each.Of(touched, func(fn qa.Function) string { return fn.Name }))
	if versions.Dated(marked(out)) {
		out.Release = versions.Project(s.Read, f.Path)
	}
	return out, ""
}

// around are callers and callees of functions of a file, and who reads what the change wrote
// outside of functions.
func (s Scout) around(side related.Side, symbols []string) string {
	var around []string
	for _, symbol := range symbols {
		around = each.Added(around, s.Code.Callers(side, symbol), s.Code.Callees(side, symbol))
	}
	around = each.Added(around, s.Code.Readers(side))
	around = slices.DeleteFunc(around, func(text string) bool { return text == "" })
	return wording.Excerpt(strings.Join(around, "\n"), shownAround)
}

// gone is a file that the change deleted: what it did is what may be missed now, where
// others still name it.
func (s Scout) gone(ctx context.Context, f qa.FileChange) (file shownFile, why string) {
	if f.Binary {
		return file, "it is no text"
	}
	before := string(s.Before(ctx, f))
	if before == "" && f.Removed > 0 {
		return file, "it cannot be read"
	}
	side := related.Side{Path: f.Path, Before: before, Whole: s.remains(f.Path, before)}
	return shownFile{Side: side, Deleted: true, Lost: s.lost(side), Instructions: s.Config.InstructionsFor(f.Path)}, ""
}

// noted are the first words about risks, each on one line.
func noted(risks []string) []string {
	var out []string
	for _, text := range risks {
		if text = wording.Line(text, longestNote); text != "" && len(out) < mostNotes {
			out = append(out, text)
		}
	}
	return out
}

func dropped(claims []string) string {
	if len(claims) == 0 {
		return ""
	}
	return wording.Count(len(claims), "claim") + " did not survive"
}

// modelPerspectives leaves test coverage to measurement.
func (s Scout) modelPerspectives() []qa.Perspective {
	return slices.DeleteFunc(slices.Clone(s.perspectives()), func(p qa.Perspective) bool { return p == qa.TestCoverage })
}
