package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"time"

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
	err := s.actions.publisher().HandOver(ctx, r, d, s.config.WorkingDirectory)
	if err != nil {
		d.Reason = err.Error()
	}
	r.Manifest.Delivery = d
	switch {
	case err != nil:
		fmt.Fprintf(env.Stderr, "qa: deliver: %s\n", gh.Disarmed(wording.Line(err.Error(), 600)))
	case d.Commit != "":
		fmt.Fprintf(env.Stderr, "qa: deliver: %d tests in %d files, commit %.7s %s\n", d.Tests, d.Files, d.Commit, gh.Disarmed(d.URL))
	}
	if err := s.rewrite(out, res); err != nil {
		fmt.Fprintf(env.Stderr, "qa: deliver: %s\n", gh.Disarmed(wording.Line(err.Error(), 600)))
	}
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
		text, err := reporter.Text(name, res.Report, reporter.Options{Source: s.source})
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
