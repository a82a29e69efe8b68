package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/bench/eval/recording"
	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// repliesIn is where a run without recorded replies keeps what it was answered.
const repliesIn = "model-replies"

// evaluate runs every case as often as there are runs and prints the numbers.
// Something that was not run is an error: the numbers are not those of the set.
func (e *evaluation) evaluate(ctx context.Context, cases []change) error {
	all := make([]measure.Outcome, len(e.runs)*len(cases))
	repo.Each(len(all), e.parallel, func(i int) {
		run, c := e.runs[i/len(cases)], cases[i%len(cases)]
		o, err := e.one(ctx, run, c)
		if err != nil {
			o = measure.Outcome{NotRun: strings.ReplaceAll(err.Error(), "\n", " ")}
		}
		o.Run, o.Case, o.Buggy = run, c.ID, c.Truth != nil
		all[i] = o
		fmt.Fprintf(os.Stderr, "%s %s: %s\n", run, c.ID, cmp.Or(o.NotRun, "done"))
	})
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
	s := &stage{change: c, Stage: repo.Stage{Top: top, Repo: filepath.Join(top, "repo")}}
	if !e.again {
		if s, err = e.lay(ctx, c, top); err != nil {
			return o, err
		}
		if err := e.ask(ctx, s, known); err != nil {
			return o, err
		}
	} else if c.upstream != nil {
		if err := s.locate(ctx); err != nil {
			return o, err
		}
	}
	if o.Change, err = s.measured(ctx); err != nil {
		return o, err
	}
	report, session, err := repo.Report(s.Top)
	if err != nil || report == nil {
		return o, cmp.Or(err, errors.New("no report in qa-report"))
	}
	answered, missing, err := recording.Asked(s.asked())
	if err != nil {
		return o, err
	}
	lacks := strings.Join(known.Missing(missing, answered), "; ")
	if e.record && !e.again {
		known.Update(answered, lacks == "" && report.Manifest.Model.Error == "")
		if err := known.Write(name); err != nil {
			return o, err
		}
	}
	if e := report.Manifest.Model.Error; e != "" {
		return o, fmt.Errorf("a reply is missing: %s; %s", e, lacks)
	}
	o.Unanswered = lacks // risks and recommendations, which the product does without
	o.Cost = e.cost(answered)
	if e.tell != "" {
		if err := tell(filepath.Join(e.tell, run), s, answered, report); err != nil {
			return o, err
		}
	}
	return o, s.judge(ctx, report, session, &o)
}

// cost is what the questions and answers of a case are, and with a price what they
// would have cost.
func (e *evaluation) cost(all []recording.Exchange) measure.Cost {
	asked, answered := recording.Tokens(all)
	micro := e.price.prompt*float64(asked) + e.price.completion*float64(answered) // USD per million
	return measure.Cost{Requests: len(all), Tokens: asked + answered, Micro: int(micro + 0.5)}
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

// perspectives are what a case is looked at for. Only one whose tests were weakened has
// something to find in tests.
func (s *stage) perspectives() string {
	if s.weakens() {
		return "bug,security,test-coverage"
	}
	return "bug,security"
}

func (s *stage) weakens() bool { return s.upstream != nil && s.upstream.Origin == weakened }

// meant reports whether a posted finding is one of those that a case is judged by: that a
// weakened test leaves lines without coverage, or smells besides, is neither right nor wrong.
func (s *stage) meant(f qa.Finding) bool {
	return !s.weakens() || slices.Contains(f.Engines, "weakened-test") || slices.Contains(f.Perspectives, qa.Bug) || slices.Contains(f.Perspectives, qa.Security)
}

// ask runs the product on the case. What it asks is written down in the stage.
func (e *evaluation) ask(ctx context.Context, s *stage, known recording.Recording) error {
	argv := []string{
		e.program, "run", "--quiet", "--mode", "full", "--perspectives", s.perspectives(), "--repeat", "2", "--max-rounds", "1",
		"--max-fix-iterations", "1", "--install", "never", "--runtime", "host", "--history", "none", "--timeout", "3h", "--task-timeout", "3h",
		"--model-timeout", e.modelTimeout, "--model-budget", "2000000", "--on-model-failure", "fail", "--model", cmp.Or(e.model, known.Model), "--model-base-url", cmp.Or(e.baseURL, "http://127.0.0.1:9/v1"),
	}
	env := append(s.env(), "QA_MODEL_RECORD="+s.asked())
	switch {
	case e.model == "":
		replies := filepath.Join(s.Top, "replies")
		if err := known.Unpack(replies); err != nil {
			return err
		}
		env = append(env, "QA_MODEL_REPLAY="+replies)
	case e.record: // only what is not recorded yet is asked
		if err := known.Unpack(filepath.Join(s.Repo, "qa-report", repliesIn)); err != nil {
			return err
		}
		fallthrough
	default:
		env = append(env, "INPUT_MODEL-API-KEY="+e.key)
	}
	a, err := repo.Ask(ctx, process.Command{Argv: argv, Dir: s.Repo, Env: env, Timeout: 3 * time.Hour})
	if err == nil && a.Report == nil {
		err = fmt.Errorf("exit code %d, no report: %s", a.ExitCode, a.Last)
	}
	if err := errors.Join(err, os.WriteFile(filepath.Join(s.Top, "log"), append(a.Stdout, a.Stderr...), 0o600)); err != nil {
		return err
	}
	// Out of the way: the tests in it would be run with those of the project.
	return os.Rename(filepath.Join(s.Repo, "qa-report"), filepath.Join(s.Top, "qa-report"))
}

// asked is where the product writes down what it asks.
func (s *stage) asked() string { return filepath.Join(s.Top, "asked") }
