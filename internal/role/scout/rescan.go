package scout

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/scan/finding"
)

// Rescan runs the engines over the change and the tests that this run wrote: what
// is new is the run's own doing, and counts. The copy holds those tests already.
func (s Scout) Rescan(ctx context.Context, written map[string]string) (finding.Result, error) {
	req, err := s.Request(ctx)
	if err != nil {
		return finding.Result{}, err
	}
	req.Written, req.Change.Files, req.Engines = written, s.withWritten(written), anyEngine
	return scan.Run(ctx, req)
}

// withWritten is the change as it would be with the kept tests in it.
func (s Scout) withWritten(written map[string]string) []qa.FileChange {
	files := slices.Clone(s.Change.Files)
	for _, name := range slices.Sorted(maps.Keys(written)) {
		text := []byte(written[name])
		kind, language, _ := change.Classify(name, text)
		was, err := s.Read(name)
		f := qa.FileChange{Path: name, Status: qa.Modified, Kind: kind, Language: language}
		if err != nil {
			f.Status, was = qa.Added, nil
		}
		// What is in the new text and not in the old one was written.
		for _, added := range change.Removed(text, was) {
			f.Added = append(f.Added, qa.Range{Start: added.First, End: added.First + len(added.Lines) - 1})
		}
		i := slices.IndexFunc(files, func(c qa.FileChange) bool { return c.Path == name })
		if i < 0 {
			files = append(files, f)
			continue
		}
		files[i].Added = slices.Concat(files[i].Added, f.Added)
	}
	return files
}

// Since compares a second scan with the first scan.
func Since(first *finding.Result, res finding.Result) string {
	before, after := map[string]bool{}, map[string]bool{}
	if first != nil {
		for _, f := range first.Findings {
			if f.Counts() && !slices.Contains(f.Engines, "model") {
				before[f.Fingerprint] = true
			}
		}
	}
	fresh, persisting, fixed := 0, 0, 0
	for _, f := range res.Findings {
		switch {
		case !f.Counts():
			continue
		case before[f.Fingerprint]:
			persisting++
		default:
			fresh++
		}
		after[f.Fingerprint] = true
	}
	for id := range before {
		if !after[id] {
			fixed++
		}
	}
	return fmt.Sprintf("with the kept tests in place: %d new, %d fixed, %d persisting findings of the engines", fresh, fixed, persisting)
}
