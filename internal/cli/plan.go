package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/role/strategist"
	"github.com/org/qa-action/internal/task"
)

// planCommand prints what a run would do.
type planCommand struct {
	config.Inputs `embed:""`
	Matrix        bool `help:"Print the job matrix (one job per target) as JSON."`
}

func (c *planCommand) Run(ctx context.Context, env *Env) error {
	s, err := setUp(ctx, env, c.Inputs)
	if err != nil {
		return err
	}
	if err := s.planOutput(); err != nil {
		return err
	}
	if c.Matrix {
		return s.matrix(env)
	}
	m, depth := mode.Of(s.config.Mode, s.config.Task), s.config.Depth
	if depth == config.DepthAuto {
		depth = strategist.DepthOf(s.change, len(s.config.EndToEnd()) > 0)
	}
	rows, waves, err := task.Kind{Mode: m, Depth: depth, EndToEnd: len(s.config.EndToEnd()) > 0}.Waves()
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "mode %s, depth %s, %d changed files\n\n", m, depth, len(s.change.Files))
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WAVE\tTASK\tROLE\tLAYER\tNEEDS\tAFTER")
	for _, r := range rows {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", waves[r.ID], r.ID, r.Role, r.Layer, strings.Join(r.Needs, " "), strings.Join(r.After, " "))
	}
	return w.Flush()
}

// planOutput gives the matrix to the jobs that come after.
func (s *setup) planOutput() error {
	if s.actions == nil {
		return nil
	}
	var b strings.Builder
	if err := s.matrix(&Env{Stdout: &b}); err != nil {
		return err
	}
	return s.actions.job.Outputs(map[string]string{"matrix": strings.TrimSpace(b.String())})
}

// matrix is one job per target: those of the config file, else what detection
// finds.
func (s *setup) matrix(env *Env) error {
	type job struct {
		Name      string `json:"name"`
		Dir       string `json:"working-directory"`
		Framework string `json:"framework"`
	}
	jobs := []job{}
	for _, t := range s.config.Targets {
		jobs = append(jobs, job{t.Name, t.Dir, t.Framework})
	}
	if len(jobs) == 0 {
		found, err := framework.Detect(s.root, s.config.WorkingDirectory)
		if err != nil {
			return err
		}
		for _, d := range found {
			dir := cmp.Or(d.Dir, ".")
			if n := len(jobs); n > 0 && jobs[n-1].Dir == dir { // one job runs all leaves of a test script
				jobs[n-1].Framework = "auto"
				continue
			}
			jobs = append(jobs, job{dir, dir, d.Framework})
		}
	}
	raw, err := json.Marshal(map[string]any{"include": jobs})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, string(raw))
	return err
}
