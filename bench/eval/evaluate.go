package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// recordedModel is the model's name in a recorded run; it is part of what
// identifies a request.
const recordedModel = "desk"

// repliesIn is where a run without recorded replies keeps what it was answered.
const repliesIn = "model-replies"

// evaluate runs every case as often as there are runs and prints the numbers.
// Something that was not run is an error: the numbers are not those of the set.
func (e *evaluation) evaluate(ctx context.Context, cases []change) error {
	all := make([]measure.Outcome, len(e.runs)*len(cases))
	var g errgroup.Group
	g.SetLimit(e.parallel)
	for i := range all {
		run, c := e.runs[i/len(cases)], cases[i%len(cases)]
		g.Go(func() error {
			o, err := e.one(ctx, run, c)
			if err != nil {
				o = measure.Outcome{NotRun: strings.ReplaceAll(err.Error(), "\n", " ")}
			}
			o.Run, o.Case, o.Buggy = run, c.ID, c.Truth != nil
			all[i] = o
			fmt.Fprintf(os.Stderr, "%s %s: %s\n", run, c.ID, cmp.Or(o.NotRun, "done"))
			return nil
		})
	}
	_ = g.Wait() // errors are outcomes
	show := measure.Print
	if e.markdown {
		show = measure.Markdown
	}
	if err := show(e.out, e.runs, all); err != nil {
		return err
	}
	if n := measure.Sum(all).NotRun; n > 0 {
		return fmt.Errorf("%d of %d runs have no outcome: the numbers are those of the others", n, len(all))
	}
	return nil
}

// use is what a recorded run cost; replayed replies cost nothing.
type use struct {
	Requests int `json:"requests"`
	Tokens   int `json:"tokens"`
}

func (e *evaluation) one(ctx context.Context, run string, c change) (measure.Outcome, error) {
	var o measure.Outcome
	replies := filepath.Join(e.set, "replies", run, c.ID)
	online := e.model != ""
	if _, err := os.Stat(replies); !online && err != nil {
		return o, fmt.Errorf("no recorded replies in %s", filepath.Join("replies", run, c.ID))
	}
	if e.again {
		top := filepath.Join(e.work, run, c.ID)
		s := &stage{change: c, top: top, repo: filepath.Join(top, "repo")}
		report, session, err := s.report()
		if err != nil {
			return o, err
		}
		var cost use // of all calls that recorded the case, not of the last one
		if err := readJSON(filepath.Join(replies, "use.json"), &cost); err != nil {
			return o, err
		}
		o.Requests, o.Tokens = cost.Requests, cost.Tokens
		return o, s.judge(ctx, report, session, &o)
	}
	s, err := e.lay(ctx, c, filepath.Join(e.work, run, c.ID))
	if err != nil {
		return o, err
	}
	argv := []string{
		e.program, "run", "--quiet", "--mode", "full", "--perspectives", "bug,security", "--repeat", "2", "--max-rounds", "1",
		"--max-fix-iterations", "1", "--install", "never", "--runtime", "host", "--history", "none", "--timeout", "3h", "--task-timeout", "3h",
		"--model-timeout", e.patience, "--model-budget", "2000000", "--on-model-failure", "fail", "--model", cmp.Or(e.model, recordedModel), "--model-base-url", cmp.Or(e.baseURL, "http://127.0.0.1:9/v1"),
	}
	env := s.env()
	asked := filepath.Join(s.repo, "qa-report", repliesIn)
	var before use
	if _, err := os.Stat(replies); e.record && err == nil { // only what is not recorded yet is asked
		if err := errors.Join(os.CopyFS(asked, os.DirFS(replies)), readJSON(filepath.Join(replies, "use.json"), &before)); err != nil {
			return o, err
		}
	}
	if online {
		env = append(env, "INPUT_MODEL-API-KEY="+e.key)
	} else {
		env = append(env, "QA_MODEL_REPLAY="+replies)
	}
	start := time.Now()
	res, err := process.Run(ctx, process.Command{Argv: argv, Dir: s.repo, Env: env, Timeout: 3 * time.Hour})
	if err != nil {
		return o, fmt.Errorf("run the product: %w", err)
	}
	o.Seconds = time.Since(start).Seconds()
	if err := os.WriteFile(filepath.Join(s.top, "log"), append(res.Stdout, res.Stderr...), 0o600); err != nil {
		return o, err
	}
	report, session, err := s.report()
	if err != nil {
		return o, fmt.Errorf("exit code %d: %w", res.ExitCode, err)
	}
	cost := costOf(report)
	cost.Requests, cost.Tokens = cost.Requests+before.Requests, cost.Tokens+before.Tokens
	if e.record {
		if err := keep(asked, replies, cost); err != nil {
			return o, err
		}
	}
	if !online {
		if err := readJSON(filepath.Join(replies, "use.json"), &cost); err != nil {
			return o, err
		}
	}
	if missing := report.Manifest.Model.Error; missing != "" {
		return o, fmt.Errorf("a reply is missing: %s", missing)
	}
	o.Requests, o.Tokens = cost.Requests, cost.Tokens
	return o, s.judge(ctx, report, session, &o)
}

func costOf(r qa.Report) use {
	return use{Requests: r.Manifest.Model.Calls, Tokens: r.Manifest.Model.Prompt + r.Manifest.Model.Completion}
}

// report finds the report of the only session.
func (s *stage) report() (qa.Report, string, error) {
	var r qa.Report
	found, err := filepath.Glob(filepath.Join(s.repo, "qa-report", "*", "report.json"))
	if err != nil || len(found) != 1 {
		return r, "", errors.Join(err, fmt.Errorf("%d reports in qa-report, expected one", len(found)))
	}
	return r, filepath.Dir(found[0]), readJSON(found[0], &r)
}

func readJSON(name string, into any) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// keep copies the replies of a run beside its cost.
func keep(from, to string, cost use) error {
	raw, err := json.Marshal(cost)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(to), os.CopyFS(to, os.DirFS(from)), os.WriteFile(filepath.Join(to, "use.json"), append(raw, '\n'), 0o600))
}
