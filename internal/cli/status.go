package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/wording"
)

// statusCommand looks at a session and changes nothing.
type statusCommand struct {
	Session   string        `arg:"" optional:"" help:"Session id; default: the newest."`
	OutputDir string        `default:"qa-report" help:"Directory of the sessions, relative to the repository root."`
	Limit     time.Duration `default:"15m" help:"A task that runs longer counts as stalled."`
}

func (c *statusCommand) Run(ctx context.Context, env *Env) error {
	out, id, err := findSession(ctx, env, c.OutputDir, c.Session)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }() // only read
	v, err := session.Look(out, id, time.Now(), c.Limit)
	if err != nil {
		return usageError{err}
	}
	fmt.Fprintf(env.Stdout, "%s: %s, mode %s, %d/%d tasks (%d %%)\n\n", v.Meta.ID, state(v), v.Meta.Mode, v.Done, len(v.Tasks), v.Percent())
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WAVE\tTASK\tSTATE\tELAPSED\tFINDINGS")
	for _, t := range v.Tasks {
		status, text := string(t.Status), t.Findings
		if t.Running {
			status = "running"
		}
		if t.Error != "" {
			text = t.Error
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", t.Wave, t.ID, status, elapsed(t.Elapsed), wording.Line(text, 90))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, layer := range slices.Sorted(maps.Keys(v.Rounds)) {
		fmt.Fprintf(env.Stdout, "\ngenerator-critic rounds %s: %d/%d", layer, v.Rounds[layer], v.MaxRounds)
	}
	if len(v.Ready) > 0 {
		fmt.Fprintf(env.Stdout, "\nready: %s", strings.Join(v.Ready, ", "))
	}
	for _, b := range v.Blocked {
		fmt.Fprintf(env.Stdout, "\nblocked: %s waits for %s", b.ID, strings.Join(b.By, ", "))
	}
	for _, s := range v.Stalls {
		fmt.Fprintf(env.Stdout, "\nstalled: %s", s)
	}
	var found []string
	for _, kind := range slices.Sorted(maps.Keys(v.Told.Discoveries)) {
		found = append(found, fmt.Sprintf("%d %s", v.Told.Discoveries[kind], kind))
	}
	if len(found) > 0 {
		fmt.Fprintf(env.Stdout, "\ndiscoveries: %s", strings.Join(found, ", "))
	}
	for _, m := range v.Told.Last {
		fmt.Fprintf(env.Stdout, "\n%s %s: %s", m.ID, m.Type, wording.Line(m.Summary, 90))
	}
	fmt.Fprintln(env.Stdout)
	return nil
}

func state(v session.View) string {
	if v.Alive {
		return "running"
	}
	if v.Meta.State == session.Active {
		return "interrupted"
	}
	return string(v.Meta.State)
}

func elapsed(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return d.Round(100 * time.Millisecond).String()
}

// findSession resolves a session id; without one it is the newest.
func findSession(ctx context.Context, env *Env, outputDir, id string) (out *output.Dir, found string, err error) {
	root, err := change.Root(ctx, env.Dir)
	if err != nil {
		return nil, "", err
	}
	if out, err = outputIn(ctx, root, outputDir); err != nil {
		return nil, "", err
	}
	known, err := session.List(out)
	if err != nil {
		return nil, "", err
	}
	for _, s := range known {
		if id == "" || s.ID == id {
			return out, s.ID, nil
		}
	}
	return nil, "", usageError{&session.NoneError{Dir: outputDir, Known: known}}
}

// resumeCommand goes on with an interrupted session.
type resumeCommand struct {
	Session    string `arg:"" optional:"" help:"Session id; default: the newest of this commit and configuration."`
	runCommand `embed:""`
}

func (c *resumeCommand) Run(ctx context.Context, env *Env) error {
	s, err := setUp(ctx, env, c.Inputs)
	if err != nil {
		return err
	}
	out, err := s.within(ctx, s.config.OutputDir)
	if err != nil {
		return err
	}
	known, err := session.List(out)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if !slices.ContainsFunc(known, func(k session.Summary) bool { return c.Session == "" || k.ID == c.Session }) {
		return usageError{&session.NoneError{Dir: s.config.OutputDir, Known: known}}
	}
	return s.run(ctx, env, runOptions{quiet: c.Quiet, live: c.ShowOutput, resume: true, must: true, id: c.Session})
}
