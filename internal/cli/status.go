package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/session"
)

// statusCommand looks at a session and changes nothing.
type statusCommand struct {
	Session   string        `arg:"" optional:"" help:"Session id; default: the newest."`
	OutputDir string        `default:"qa-report" help:"Directory of the sessions, relative to the repository root."`
	Limit     time.Duration `default:"15m" help:"A task that runs longer counts as stalled."`
}

func (c *statusCommand) Run(ctx context.Context, env *Env) error {
	dir, id, err := findSession(ctx, env, c.OutputDir, c.Session)
	if err != nil {
		return err
	}
	v, err := session.Look(dir, id, time.Now(), c.Limit)
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
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", t.Wave, t.ID, status, elapsed(t.Elapsed), clean(text, 90))
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

// clean makes hostile text fit for one cell of a terminal table.
func clean(text string, width int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return text
}

// findSession resolves a session id; without one it is the newest.
func findSession(ctx context.Context, env *Env, outputDir, id string) (dir, found string, err error) {
	root, err := change.Root(ctx, env.Dir)
	if err != nil {
		return "", "", explainChange(err)
	}
	dir = filepath.Join(root, filepath.FromSlash(outputDir))
	known, err := session.List(dir)
	if err != nil {
		return "", "", err
	}
	for _, s := range known {
		if id == "" || s.ID == id {
			return dir, s.ID, nil
		}
	}
	return "", "", usageError{&session.NoneError{Dir: outputDir, Known: known}}
}

// resumeCommand goes on with an interrupted session.
type resumeCommand struct {
	Session    string `arg:"" optional:"" help:"Session id; default: the newest of this commit and configuration."`
	runCommand `embed:""`
}

func (c *resumeCommand) Run(ctx context.Context, env *Env) error {
	s, err := setTheScene(ctx, env, c.Inputs)
	if err != nil {
		return err
	}
	dir := filepath.Join(s.root, filepath.FromSlash(s.config.OutputDir))
	known, err := session.List(dir)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(known, func(k session.Summary) bool { return c.Session == "" || k.ID == c.Session }) {
		return usageError{&session.NoneError{Dir: s.config.OutputDir, Known: known}}
	}
	return s.run(ctx, env, runOptions{quiet: c.Quiet, live: c.ShowOutput, resume: true, id: c.Session})
}
