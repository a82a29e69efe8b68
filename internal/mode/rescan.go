package mode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/source"
)

// rescan runs the engines again over the change and the tests that this run
// wrote: what is new is the run's own doing, and counts.
func (r *run) rescan(ctx context.Context) (result, error) {
	if len(r.written) == 0 {
		return result{}, pipeline.Skip("nothing was written since the first scan")
	}
	ws, err := r.copies.Open(ctx)
	if err != nil {
		return result{}, err
	}
	if err := r.lay(ws); err != nil {
		return result{}, err
	}
	req, err := r.request(ctx)
	if err != nil {
		return result{}, err
	}
	if req.AbsRoot, err = r.asWritten(); err != nil {
		return result{}, err
	}
	req.Change.Files = r.withWritten()
	req.Engines = []string{"-coverage-gap"}
	res, err := scan.Run(ctx, req)
	if err = errors.Join(err, os.RemoveAll(req.AbsRoot)); err != nil {
		return result{}, err
	}
	return result{Scan: &res, Findings: r.sinceFirst(res)}, nil
}

// asWritten lays out the files that are scanned, with what the run wrote into
// them: the caller removes the directory.
func (r *run) asWritten() (string, error) {
	dir, err := os.MkdirTemp("", "qa-rescan-")
	if err != nil {
		return "", fmt.Errorf("scan again: %w", err)
	}
	for _, f := range r.withWritten() {
		text, err := r.readTest(f.Path)
		if err != nil {
			continue // deleted, or a link: the first scan said so
		}
		to := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err = os.MkdirAll(filepath.Dir(to), 0o700); err == nil {
			err = os.WriteFile(to, text, 0o600)
		}
		if err != nil {
			return "", errors.Join(fmt.Errorf("scan again: %w", err), os.RemoveAll(dir))
		}
	}
	return dir, nil
}

// withWritten is the change as it would be with the kept tests in it.
func (r *run) withWritten() []qa.FileChange {
	files := slices.Clone(r.Change.Files)
	for _, name := range slices.Sorted(maps.Keys(r.written)) {
		text := []byte(r.written[name])
		kind, language, _ := change.Classify(name, text)
		was, err := r.Read(name)
		f := qa.FileChange{Path: name, Status: qa.Modified, Kind: kind, Language: language}
		if err != nil {
			f.Status, was = qa.Added, nil
		}
		// What is in the new text and not in the old one was written.
		for _, added := range source.Removed(text, was) {
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

// sinceFirst compares with the first scan.
func (r *run) sinceFirst(res scan.Result) string {
	before, after := map[string]bool{}, map[string]bool{}
	if r.scan != nil {
		for _, f := range r.scan.Findings {
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

// regressions are the findings of the second scan that the first did not have.
func (r *run) regressions(known []qa.Finding) []qa.Finding {
	if r.regression == nil {
		return nil
	}
	var out []qa.Finding
	for _, f := range r.regression.Findings {
		had := func(k qa.Finding) bool { return k.Fingerprint == f.Fingerprint }
		if !slices.ContainsFunc(known, had) && r.written[f.Path] != "" {
			f.ID = "RESCAN-" + f.Fingerprint[:min(len(f.Fingerprint), 6)]
			out = append(out, f)
		}
	}
	return out
}

// bothTimes are the engines of the first scan, and of the second one where one
// of them did not look at what the run wrote.
func (r *run) bothTimes(first []qa.Engine) []qa.Engine {
	if r.regression == nil {
		return first
	}
	out := slices.Clone(first)
	for _, again := range r.regression.Engines {
		i := slices.IndexFunc(out, func(e qa.Engine) bool { return e.Name == again.Name })
		if i >= 0 && again.Gap != "" && out[i].Gap == "" {
			out[i].State, out[i].Gap, out[i].Reason = again.State, again.Gap, "with the kept tests in place: "+again.Reason
		}
	}
	return out
}
