package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/org/qa-action/internal/finished"
	"github.com/org/qa-action/internal/reporter"
)

// explainCommand says what a session knows of one finding, as the answer to
// "/qa explain" on a pull request does.
type explainCommand struct {
	Mark      string `arg:"" help:"The finding: its mark (the eight digits below it) or its id."`
	Session   string `arg:"" optional:"" help:"Session id; default: the newest."`
	OutputDir string `default:"qa-report" help:"Directory of the sessions, relative to the repository root."`
}

func (c *explainCommand) Run(ctx context.Context, env *Env) error {
	out, id, err := findSession(ctx, env, c.OutputDir, c.Session)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }() // only read
	dir := filepath.Join(out.Path(), id)
	s, err := finished.Read(dir)
	if err != nil {
		return err
	}
	text, found := reporter.Explain(s.Report, c.Mark, reporter.Options{Dir: dir, Written: s.Written})
	fmt.Fprint(env.Stdout, text)
	if !found {
		return usageError{fmt.Errorf("session %s has no finding %.40q", id, c.Mark)}
	}
	return nil
}
