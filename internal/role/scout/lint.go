package scout

import (
	"context"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/scan/linter"
	"github.com/org/qa-action/internal/wording"
)

// Lint says what the repository's own linters have against a test file of this run, with
// the line in words. The copy holds it already; what they say of lines that the
// repository has is not the run's. An error says that one of them did not look.
func (s Scout) Lint(ctx context.Context, file, text string) ([]string, error) {
	req, err := s.Request(ctx)
	if err != nil {
		return nil, err
	}
	s.Change.Files = nil // what the change added to the file is its author's
	req.Written = map[string]string{file: text}
	req.Change.Files, req.Engines, req.Kept = s.withWritten(req.Written), scan.Linters(), nil
	req.Perspectives, req.MinSeverity, req.Share = qa.Perspectives(), qa.Low, nil
	// What another step wrote down is not about this file.
	req.Linters = slices.DeleteFunc(req.Linters, func(l linter.Linter) bool { return len(l.Command) == 0 })
	res, err := scan.Run(ctx, req)
	if err != nil {
		return nil, err
	}
	for _, e := range res.Engines {
		if e.State == "failed" || e.State == "timeout" {
			err = fmt.Errorf("%s: %s", e.Name, e.Reason)
		}
	}
	var wrong []string
	for _, f := range res.Findings {
		if f.Counts() {
			wrong = append(wrong, fmt.Sprintf("%s, at %q: %s", f.Rule.ID, wording.Cut(f.Quote, 120), wording.Cut(f.Message, 300)))
		}
	}
	return wrong, err
}
