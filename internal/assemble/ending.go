package assemble

import (
	"bytes"
	"context"
	"errors"

	"github.com/org/qa-action/internal/memory"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/reporter"
)

// AtCeiling leaves the report of a run that has to exit in the midst of its work
// for want of memory. It is made before there is any work, so that nothing is
// left to do then but to write it; the session can be gone on with.
func (w Writer) AtCeiling(ctx context.Context) {
	why := memory.Ceiling(ctx)
	if why == nil {
		return
	}
	text, err := w.blankJSON(why)
	if err != nil {
		w.Notes.Note(err)
		return
	}
	// The console has the reason, too, so that a failure to write hides nothing.
	memory.LastWords(ctx, func(error) { _ = errors.Join(w.Session.Yield(), w.Session.WriteFile("report.json", text)) })
}

// blankJSON is the report.json of a run that saw nothing.
func (w Writer) blankJSON(why error) ([]byte, error) {
	var text bytes.Buffer
	err := reporter.Render(&text, "json", w.Blank(why), reporter.Options{})
	return text.Bytes(), err
}

// Blank is the report of a run that saw nothing, and why.
func (w Writer) Blank(why error) *qa.Report {
	p := w.empty()
	p.Partial, p.Coverage = true, qa.CoverageReport{State: "unknown", Reason: "the program could not go on"}
	w.judge(p)
	p.Result, p.Reason = qa.Inconclusive, why.Error()
	p.Next, p.Recommendations = quality.Next(p), []string{}
	return p
}

// OutOfMemory makes the ceiling the reason of a run that it ended: every error
// of such a run comes from it.
func OutOfMemory(ctx context.Context, p *qa.Report, err error) error {
	why := context.Cause(ctx)
	if err == nil || !errors.Is(why, memory.ErrCeiling) {
		return err
	}
	p.Result, p.Reason = qa.Inconclusive, why.Error()
	return why
}
