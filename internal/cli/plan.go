package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/org/qa-action/internal/baseline"
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
	Shards        int  `help:"Jobs for each suite that can be run in parts." default:"1"`
}

func (c *planCommand) Run(ctx context.Context, env *Env) error {
	s, err := setUp(ctx, env, c.Inputs)
	if err != nil {
		return err
	}
	if text := env.Getenv("INPUT_SHARDS"); text != "" && c.Shards == 1 {
		if c.Shards, err = strconv.Atoi(text); err != nil {
			return usageError{fmt.Errorf("input shards: %q is not a whole number", text)}
		}
	}
	if err := s.planOutput(c.Shards); err != nil {
		return err
	}
	if c.Matrix {
		return s.matrix(env, c.Shards)
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
func (s *setup) planOutput(shards int) error {
	if s.actions == nil {
		return nil
	}
	var b strings.Builder
	if err := s.matrix(&Env{Stdout: &b}, shards); err != nil {
		return err
	}
	return s.actions.Job.Outputs(map[string]string{"matrix": strings.TrimSpace(b.String())})
}

// job is one row of the matrix.
type job struct {
	Name      string `json:"name"`
	Dir       string `json:"working-directory"`
	Framework string `json:"framework"`
	Shard     string `json:"shard,omitempty"`
}

// matrix is one job per target: those of the config file, else what detection
// finds; as many as there are to be shards where a suite can be run in parts.
func (s *setup) matrix(env *Env, shards int) error {
	if shards < 1 || shards > config.MaxShards {
		return usageError{fmt.Errorf("--shards: %d, expected 1 to %d", shards, config.MaxShards)}
	}
	jobs, divisible := []job{}, map[string]bool{}
	for _, t := range s.config.Targets {
		jobs = append(jobs, job{Name: t.Name, Dir: t.Dir, Framework: t.Framework})
		if found, err := framework.Detect(s.root, t.Dir); err == nil && t.TestCommand == "" {
			divisible[t.Dir] = slices.ContainsFunc(found, baseline.Divisible)
		}
	}
	if len(jobs) == 0 {
		found, err := framework.Detect(s.root, s.config.WorkingDirectory)
		if err != nil {
			return err
		}
		for _, d := range found {
			dir := cmp.Or(d.Dir, ".")
			divisible[dir] = divisible[dir] || baseline.Divisible(d)
			if n := len(jobs); n > 0 && jobs[n-1].Dir == dir { // one job runs all leaves of a test script
				jobs[n-1].Framework = "auto"
				continue
			}
			jobs = append(jobs, job{Name: dir, Dir: dir, Framework: d.Framework})
		}
	}
	raw, err := json.Marshal(map[string]any{"include": parts(jobs, divisible, shards)})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, string(raw))
	return err
}

// parts makes several jobs of one whose suite can be run in parts.
func parts(jobs []job, divisible map[string]bool, shards int) []job {
	out := []job{}
	for _, j := range jobs {
		if shards == 1 || !divisible[j.Dir] {
			out = append(out, j)
			continue
		}
		for i := range shards {
			part := j
			part.Shard = fmt.Sprintf("%d/%d", i+1, shards)
			part.Name += " " + part.Shard
			out = append(out, part)
		}
	}
	return out
}
