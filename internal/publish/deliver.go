package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
)

// HandOver delivers the kept tests of a report to the pull request of the event, in the
// way that d asks for, and says in d what was done. dir is the working directory. Without
// an event, p is nil.
func (p *Publisher) HandOver(ctx context.Context, r *qa.Report, d *qa.Delivery, dir string) error {
	files, err := keptFiles(r)
	d.Files = len(files)
	switch {
	case err != nil:
		return err
	case len(files) == 0:
		return errors.New("no generated test was kept, so there is nothing to hand over")
	case r.Partial:
		return errors.New("the run is not complete")
	case r.Change.Dirty:
		return errors.New("the tests were proven on uncommitted edits")
	case p == nil || p.Event.Pull == nil || r.Change.Number == 0:
		return fmt.Errorf("%s needs a workflow run of a pull request; the tests are in the patch", d.Way)
	case p.Client == nil:
		return fmt.Errorf("%s needs the input github-token", d.Way)
	}
	out := gh.Delivery{Number: r.Change.Number, Head: r.Change.Head, Edit: func(old map[string][]byte) (map[string][]byte, error) { return apply(files, old) },
		Subject: fmt.Sprintf("Add tests for #%d", r.Change.Number), Reasons: reporter.Reasons(r)}
	for _, f := range files {
		out.Paths = append(out.Paths, f.NewName)
	}
	if d.Way == "pull-request" {
		out.Branch = gh.TestsBranch(r.Change.Number, dir)
		out.Body = reporter.Proposal(r, reporter.Options{Links: p.Links(r)})
	}
	got, err := p.Client.Deliver(ctx, out)
	if errors.Is(err, gh.ErrForbidden) {
		err = fmt.Errorf("%w; it needs the permission contents: write", err)
	}
	d.Commit, d.URL = got.Commit, got.URL
	return err
}

// keptFiles reads the patch of kept tests after the reporter has held it to
// what a patch of kept tests may do. A test that only shows a defect is in none.
func keptFiles(r *qa.Report) ([]*gitdiff.File, error) {
	text, err := reporter.Text("patch", r, reporter.Options{})
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
