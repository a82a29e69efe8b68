package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// repository is one clone under trial.
type repository struct {
	dir string
	*bench
	random *rand.Rand
}

// base is the branch of the clone that faults are put upon: the default branch's name, so
// that what runs there show is remembered.
const base = "main"

// tries is how many faults are tried for each that a test catches.
const tries = 4

// try puts faults in until the suite has caught enough of them.
func (r repository) try(ctx context.Context) (outcome, error) {
	var o outcome
	if _, err := r.git(ctx, "checkout", "-q", "-f", "-B", base); err != nil {
		return o, err
	}
	files, err := r.sources(ctx)
	if err != nil || len(files) == 0 {
		return o, errors.Join(err, errors.New("no file of a language that faults can be put into"))
	}
	// As runs of the default branch do, one that is about code sees base whole.
	if _, err := r.measure(ctx, "impacted", "HEAD~30"); err != nil {
		return o, err
	}
	for n := 0; n < tries*r.faults && o.faults < r.faults && ctx.Err() == nil; n++ {
		file, m, ok := r.fault(files)
		if !ok {
			continue
		}
		if err := r.commit(ctx, file, m); err != nil {
			return o, err
		}
		everything, err := r.measure(ctx, "all", base)
		if err != nil {
			return o, err
		}
		if len(everything.fresh) == 0 {
			fmt.Fprintf(os.Stderr, "%s: no test catches %s at %s:%d\n", r.dir, m.Operator, m.Path, m.Line)
			continue
		}
		part, err := r.measure(ctx, "impacted", base)
		if err != nil {
			return o, err
		}
		o.faults++
		if len(part.fresh) > 0 {
			o.caught++
		} else {
			fmt.Fprintf(os.Stderr, "%s: MISSED %s at %s:%d, which %s catches\n", r.dir, m.Operator, m.Path, m.Line, everything.fresh[0])
		}
		fmt.Fprintf(os.Stderr, "%s: %s at %s:%d: %d of %d units left out, %d of %d tests ran, %d of %d failures seen\n",
			r.dir, m.Operator, m.Path, m.Line, part.left, part.units, part.tests, everything.tests, len(part.fresh), len(everything.fresh))
		if part.units == 0 {
			o.whole++
			fmt.Fprintf(os.Stderr, "%s: %s: everything ran: %s\n", r.dir, m.Path, part.why)
			part.left, part.units = 0, 1
		}
		o.left, o.units = o.left+100*part.left/part.units, o.units+100
		o.tests, o.allTests = o.tests+part.tests, o.allTests+everything.tests
		o.seconds, o.allSeconds = o.seconds+part.seconds, o.allSeconds+everything.seconds
	}
	_, err = r.git(ctx, "checkout", "-q", "-f", base)
	return o, err
}

// sources are the files of the product that faults can be put into.
func (r repository) sources(ctx context.Context) ([]string, error) {
	tracked, err := r.git(ctx, "ls-files")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range strings.Split(strings.TrimSpace(tracked), "\n") {
		if kind, _, generated := change.Classify(name, nil); kind == qa.KindSource && !generated && syntax.Supported(name) && !strings.Contains(name, "example") {
			out = append(out, name)
		}
	}
	return out, nil
}

// fault chooses a line within a function, and what becomes of it.
func (r repository) fault(files []string) (string, mutant.Mutant, bool) {
	file := files[r.random.IntN(len(files))]
	src, err := os.ReadFile(filepath.Join(r.dir, file))
	if err != nil {
		return "", mutant.Mutant{}, false
	}
	o, err := outline.Parse(file, src)
	if err != nil || len(o.Functions) == 0 {
		return "", mutant.Mutant{}, false
	}
	all, err := mutant.Make(file, src, []qa.Range{o.Functions[r.random.IntN(len(o.Functions))].Lines})
	if err != nil || len(all) == 0 {
		return "", mutant.Mutant{}, false
	}
	return file, all[r.random.IntN(len(all))], true
}

func (r repository) commit(ctx context.Context, file string, m mutant.Mutant) error {
	if _, err := r.git(ctx, "checkout", "-q", "-f", "-B", "qa-impact-fault", base); err != nil {
		return err
	}
	name := filepath.Join(r.dir, file)
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, mutant.Apply(src, m), 0o644); err != nil {
		return err
	}
	_, err = r.git(ctx, "-c", "user.name=qa", "-c", "user.email=qa@example.test", "commit", "-q", "--no-verify", "-m", "fault", "--", file)
	return err
}

// seen is what a run said.
type seen struct {
	fresh       []string // failures of the change
	tests       int
	left, units int
	why         string
	seconds     float64
}

func (r repository) measure(ctx context.Context, tests, from string) (seen, error) {
	started := time.Now()
	_, err := process.Run(ctx, process.Command{Argv: []string{r.program, "run", "--quiet", "--base", from, "--tests", tests, "--runtime", "host", "--mode", "testing", "--task-timeout", "60s"},
		Dir: r.dir, Env: os.Environ(), Timeout: r.limit})
	if err != nil {
		return seen{}, err
	}
	s := seen{seconds: time.Since(started).Seconds()}
	newest, at := "", time.Time{}
	reports, err := filepath.Glob(filepath.Join(r.dir, "qa-report", "*", "report.json"))
	if err != nil {
		return s, err
	}
	for _, name := range reports {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(at) {
			newest, at = name, info.ModTime()
		}
	}
	if at.Before(started) {
		return s, fs.ErrNotExist
	}
	raw, err := os.ReadFile(newest)
	if err != nil {
		return s, err
	}
	var report struct {
		Tests qa.Tests `json:"tests"`
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		return s, err
	}
	for _, f := range report.Tests.Failing {
		if f.Triage == qa.NewFailure {
			s.fresh = append(s.fresh, f.Case.ID())
		}
	}
	for _, p := range report.Tests.Problems {
		s.fresh = append(s.fresh, p.Where)
	}
	s.tests = report.Tests.Head.Tests
	left := report.Tests.LeftOut()
	s.left, s.units = left.Units, left.OfUnits
	for _, i := range report.Tests.Impact {
		s.why = strings.TrimPrefix(s.why+"; "+i.Everything, "; ")
	}
	return s, nil
}

func (r repository) git(ctx context.Context, args ...string) (string, error) {
	res, err := repo.Run(ctx, process.Command{Argv: append([]string{"git"}, args...), Dir: r.dir, Env: os.Environ(), Timeout: time.Minute})
	return string(res.Stdout), err
}
