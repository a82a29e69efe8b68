package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/wording"
)

// deliverTime is the longest that handing tests over may take.
const deliverTime = 3 * time.Minute

// deliver hands the kept tests over as a commit or a pull request when that was
// asked for. Whatever speaks against it is one line in log and manifest and
// never changes the result: the patch is there in any case.
func (s *setup) deliver(ctx context.Context, env *Env, out *output.Dir, res *mode.Result) {
	if res == nil || res.Report == nil || s.config.Deliver == "patch" {
		return
	}
	r := res.Report
	d := &qa.Delivery{Way: s.config.Deliver}
	for _, t := range r.Generated {
		if t.Kept {
			d.Tests++
		}
	}
	ctx, stop := context.WithTimeout(ctx, deliverTime)
	defer stop()
	files, err := keptFiles(r)
	if d.Files = len(files); err == nil {
		err = s.handOver(ctx, r, files, d)
	}
	if err != nil {
		d.Reason = err.Error()
	}
	r.Manifest.Delivery = d
	switch {
	case err != nil:
		fmt.Fprintf(env.Stderr, "qa: deliver: %s\n", disarmed(wording.Line(err.Error(), 600)))
	case d.Commit != "":
		fmt.Fprintf(env.Stderr, "qa: deliver: %d tests in %d files, commit %.7s %s\n", d.Tests, d.Files, d.Commit, disarmed(d.URL))
	}
	if err := s.rewrite(out, res); err != nil {
		fmt.Fprintf(env.Stderr, "qa: deliver: %s\n", disarmed(wording.Line(err.Error(), 600)))
	}
}

// handOver delivers files to the pull request of the event.
func (s *setup) handOver(ctx context.Context, r *qa.Report, files []*gitdiff.File, d *qa.Delivery) error {
	a := s.actions
	switch {
	case len(files) == 0:
		return errors.New("no generated test was kept, so there is nothing to hand over")
	case r.Partial:
		return errors.New("the run is not complete")
	case r.Change.Dirty:
		return errors.New("the tests were proven on uncommitted edits")
	case a == nil || a.event.Pull == nil || r.Change.Number == 0:
		return fmt.Errorf("%s needs a workflow run of a pull request; the tests are in the patch", s.config.Deliver)
	case a.client == nil:
		return fmt.Errorf("%s needs the input github-token", s.config.Deliver)
	}
	out := gh.Delivery{Number: r.Change.Number, Head: r.Change.Head, Edit: func(old map[string][]byte) (map[string][]byte, error) { return apply(files, old) },
		Subject: fmt.Sprintf("Add tests for #%d", r.Change.Number), Reasons: reporter.Reasons(r)}
	for _, f := range files {
		out.Paths = append(out.Paths, f.NewName)
	}
	if s.config.Deliver == "pull-request" {
		out.Branch = gh.TestsBranch(r.Change.Number, s.config.WorkingDirectory)
		out.Body = reporter.Proposal(r, reporter.Options{Links: a.links(r)})
	}
	got, err := a.client.Deliver(ctx, out)
	if errors.Is(err, gh.ErrForbidden) {
		err = fmt.Errorf("%w; it needs the permission contents: write", err)
	}
	d.Commit, d.URL = got.Commit, got.URL
	return err
}

// keptFiles reads the patch of kept tests after the reporter has held it to
// what a patch of kept tests may do. A test that only shows a defect is in none.
func keptFiles(r *qa.Report) ([]*gitdiff.File, error) {
	text, err := rendered("patch", r, reporter.Options{})
	if err != nil {
		return nil, err
	}
	files, _, err := gitdiff.Parse(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read the patch: %w", err)
	}
	for _, f := range files {
		if kind, _, _ := change.Classify(f.NewName, nil); kind != qa.KindTest {
			return nil, fmt.Errorf("%s is a %s file, and only test files are handed over", f.NewName, kind)
		}
	}
	return files, nil
}

// apply carries the patch out on what the branch holds. The tests were proven
// on the test merge; where base has changed the same file since, the patch does
// not fit the branch and nothing is delivered.
func apply(files []*gitdiff.File, old map[string][]byte) (map[string][]byte, error) {
	now := map[string][]byte{}
	for _, f := range files {
		var b bytes.Buffer
		content, had := old[f.NewName]
		if had == f.IsNew {
			return nil, fmt.Errorf("%s on the branch is not what the tests were proven on; bring the branch up to date with its base", f.NewName)
		}
		if err := gitdiff.Apply(&b, bytes.NewReader(content), f); err != nil {
			return nil, fmt.Errorf("%s on the branch is not what the tests were proven on; bring the branch up to date with its base: %w", f.NewName, err)
		}
		now[f.NewName] = b.Bytes()
	}
	return now, nil
}

// rewrite renders the files of the session again that show the manifest.
func (s *setup) rewrite(out *output.Dir, res *mode.Result) error {
	root, err := out.Root()
	if err != nil {
		return err
	}
	var problems []error
	for _, name := range res.Files {
		rep, err := reporter.For(name)
		if err != nil || !slices.Contains([]string{"json", "html", "markdown"}, name) {
			continue
		}
		text, err := rendered(name, res.Report, reporter.Options{Source: s.source})
		if err == nil {
			err = rooted.Replace(root, path.Join(filepath.Base(res.Dir), rep.File), []byte(text))
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// maxShown bounds what is read of a file to be shown.
const maxShown = 4 << 20

// source reads a file of the working copy for a report; a link out of it is not
// followed, because the report of a pull request is public.
func (s *setup) source(path string) ([]byte, error) {
	return rooted.ReadIn(s.root, path, maxShown)
}
