package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/bench/eval/recording"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

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

// one runs one case and judges it.
func (e *evaluation) one(ctx context.Context, run string, c change) (measure.Outcome, error) {
	var o measure.Outcome
	name := recording.File(filepath.Join(e.set, "replies"), run, c.ID)
	known, err := e.recorded(name)
	if err != nil {
		return o, err
	}
	top := filepath.Join(e.work, run, c.ID)
	s := &stage{change: c, top: top, repo: filepath.Join(top, "repo")}
	if !e.again {
		if s, err = e.lay(ctx, c, top); err != nil {
			return o, err
		}
		start := time.Now()
		if err := e.ask(ctx, s, known); err != nil {
			return o, err
		}
		o.Seconds = time.Since(start).Seconds()
	}
	report, session, err := s.report()
	if err != nil {
		return o, err
	}
	answered, missing, err := recording.Asked(s.asked())
	if err != nil {
		return o, err
	}
	lacks := report.Manifest.Model.Error
	if lacks != "" {
		lacks = strings.Join(append([]string{lacks}, known.Missing(missing, answered)...), "; ")
	}
	if !e.again {
		e.book(&known.Cost, report.Manifest.Model)
	}
	if e.record && !e.again {
		if e.model != "" && lacks == "" { // whole: the answers to other questions go
			known.Exchanges = nil
		}
		known.Update(answered)
		if err := known.Write(name); err != nil {
			return o, err
		}
	}
	if lacks != "" {
		return o, fmt.Errorf("a reply is missing: %s", lacks)
	}
	o.Requests, o.Tokens = known.Requests, known.Tokens
	return o, s.judge(ctx, report, session, &o)
}

// recorded reads what was recorded of a case; an endpoint needs nothing.
func (e *evaluation) recorded(name string) (recording.Recording, error) {
	known, err := recording.Read(name)
	at := filepath.Join("replies", filepath.Base(filepath.Dir(name)), filepath.Base(name))
	switch {
	case errors.Is(err, fs.ErrNotExist) && e.model == "":
		return known, fmt.Errorf("no recorded replies in %s", at)
	case errors.Is(err, fs.ErrNotExist):
		known.Model, err = e.model, nil
	case err == nil && e.record && e.model != "" && e.model != known.Model:
		err = fmt.Errorf("%s holds answers of the model %s, not of %s: give the run another name with -runs", at, known.Model, e.model)
	}
	return known, err
}

// book adds what an endpoint was asked to what the recording cost before;
// replayed answers cost nothing.
func (e *evaluation) book(cost *recording.Cost, used qa.ModelUse) {
	if e.model == "" {
		return
	}
	if !e.record {
		*cost = recording.Cost{Model: e.model}
	}
	cost.Requests += used.Calls
	cost.Tokens += used.Prompt + used.Completion
}

// ask runs the product on the case. What it asks is written down in the stage.
func (e *evaluation) ask(ctx context.Context, s *stage, known recording.Recording) error {
	argv := []string{
		e.program, "run", "--quiet", "--mode", "full", "--perspectives", "bug,security", "--repeat", "2", "--max-rounds", "1",
		"--max-fix-iterations", "1", "--install", "never", "--runtime", "host", "--history", "none", "--timeout", "3h", "--task-timeout", "3h",
		"--model-timeout", e.modelTimeout, "--model-budget", "2000000", "--on-model-failure", "fail", "--model", cmp.Or(e.model, known.Model), "--model-base-url", cmp.Or(e.baseURL, "http://127.0.0.1:9/v1"),
	}
	env := append(s.env(), "QA_MODEL_RECORD="+s.asked())
	switch {
	case e.model == "":
		replies := filepath.Join(s.top, "replies")
		if err := known.Unpack(replies); err != nil {
			return err
		}
		env = append(env, "QA_MODEL_REPLAY="+replies)
	case e.record: // only what is not recorded yet is asked
		if err := known.Unpack(filepath.Join(s.repo, "qa-report", repliesIn)); err != nil {
			return err
		}
		fallthrough
	default:
		env = append(env, "INPUT_MODEL-API-KEY="+e.key)
	}
	res, err := process.Run(ctx, process.Command{Argv: argv, Dir: s.repo, Env: env, Timeout: 3 * time.Hour})
	if err != nil {
		return fmt.Errorf("run the product: %w", err)
	}
	if err := os.WriteFile(filepath.Join(s.top, "log"), append(res.Stdout, res.Stderr...), 0o600); err != nil {
		return err
	}
	if _, _, err := s.report(); err != nil {
		return fmt.Errorf("exit code %d: %w", res.ExitCode, err)
	}
	return nil
}

// asked is where the product writes down what it asks.
func (s *stage) asked() string { return filepath.Join(s.top, "asked") }

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
