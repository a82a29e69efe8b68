package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/internal/qa"
)

// judge compares a report with the truth. Where tests can decide they do: a
// proof is true when its test passes on the mended code, and a kept test that
// fails there asserts the defect.
func (s *stage) judge(ctx context.Context, r *qa.Report, session string, o *measure.Outcome) error {
	if r.Tests.Head.Passed == 0 { // they pass in every case: something ended them
		return fmt.Errorf("no test of the project passed on head, so nothing is known: %s", r.Result)
	}
	o.Tests = measure.Funnel(r.Generated)
	if m := r.Mutation; m != nil {
		o.Mutants = m.Killed + m.Survived + m.Timeout + m.NoCover
		o.Before, o.After = part(m.Before, o.Mutants), part(m.After, o.Mutants)
	}
	for _, t := range r.Generated {
		if t.Kept && t.Class == "change-capturing" || t.Gate == "G4" && t.Class == "regression-candidate" {
			o.Capturing = true
		}
	}
	var confirmed []string // tests of evidence that pass once the defect is mended
	if s.Truth != nil {
		var err error
		// What fails where races are watched for has to pass there.
		s.races = slices.ContainsFunc(r.Findings, func(f qa.Finding) bool { return f.Proof != nil && f.Proof.Races })
		if confirmed, err = s.onFix(ctx, filepath.Join(session, "evidence.patch"), passing); err != nil {
			return err
		}
		s.races = false
		kept := filepath.Join(s.Top, "kept.patch")
		if err := os.WriteFile(kept, []byte(r.Patch), 0o600); err != nil {
			return err
		}
		wrong, err := s.onFix(ctx, kept, failing)
		if err != nil {
			return err
		}
		o.Enshrined = min(len(wrong), o.Kept)
	}
	for _, f := range r.Findings {
		posted := f.Counts() && s.meant(f)
		proven := f.Evidence == qa.Proven
		shown := proven && f.Proof != nil && slices.ContainsFunc(confirmed, func(name string) bool { return sameTest(name, f.Proof.Test) })
		// What fails on head and passes once the defect is mended shows the
		// defect, wherever the report puts it.
		named := shown || s.Truth != nil && s.Truth.holds(f) && s.Truth.words.MatchString(f.Rule.ID+" "+f.Message+" "+f.Suggestion)
		o.Seen = o.Seen || named
		if !posted {
			continue
		}
		o.Posted++
		if proven {
			o.PostedProven++
		}
		if !named {
			continue
		}
		o.True, o.Found = o.True+1, true
		if shown {
			o.TrueProven, o.Proven = o.TrueProven+1, true
		}
	}
	return nil
}

// sameTest compares the names of a test, of which either may lack its suite.
func sameTest(a, b string) bool { return strings.HasSuffix(a, b) || strings.HasSuffix(b, a) }

func part(rate *float64, of int) int {
	if rate == nil {
		return 0
	}
	return int(*rate*float64(of) + 0.5)
}

// onFix applies a patch of tests to the mended code, runs all tests and picks
// names; an empty or missing patch has none.
func (s *stage) onFix(ctx context.Context, patch string, pick func(qa.Suite) []string) ([]string, error) {
	raw, err := os.ReadFile(patch)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(raw) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := s.Git(ctx, []string{"checkout", "-q", "-f", "feature"}, []string{"clean", "-q", "-f", "-d"},
		[]string{"apply", s.fix()}, []string{"apply", patch}); err != nil {
		return nil, err
	}
	suite, err := s.suite(ctx)
	return pick(suite), err
}

// passing lists the tests that pass; one with parameters or cases passes with all of them.
func passing(s qa.Suite) []string {
	var out, bad []string
	for _, c := range s.Cases {
		name := c.Name
		if at := strings.LastIndexByte(name, '['); at > 0 && strings.HasSuffix(name, "]") {
			name = name[:at] // pytest: test_x[1-a]
		}
		if test, _, sub := strings.Cut(name, "/"); sub && strings.HasPrefix(test, "Test") {
			name = test // go test: TestX/one of its cases
		}
		if c.Status == qa.Passed {
			out = append(out, name)
		} else {
			bad = append(bad, name)
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return slices.Contains(bad, name) })
}
