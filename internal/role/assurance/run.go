package assurance

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source"
)

// outcome is what one run said of one test.
type outcome struct {
	status  qa.Status
	why     string
	errored bool // it could not be judged: crash, setup, time limit
	cases   []qa.Case
}

// suite runs a selection in a tree; every run has its own report directory.
func (c *Chain) suite(ctx context.Context, tree Tree, tests []framework.Selected, edit func(*executor.Options)) (executor.Run, error) {
	c.runs++
	o := c.Options
	o.Name = fmt.Sprintf("trial-%d", c.runs)
	o.Keep, o.Tests, o.Generated = filepath.Join(c.Keep, o.Name), tests, true
	if edit != nil {
		edit(&o)
	}
	return executor.Suite(ctx, tree, c.Target, o)
}

// outcome runs the file of a test and finds the test in it.
func (c *Chain) outcome(ctx context.Context, tree Tree, v *Verdict, name string) (outcome, []qa.Case, error) {
	run, err := c.suite(ctx, tree, selection(v, nil), nil)
	if err != nil {
		return outcome{}, nil, err
	}
	o := read(run, v.Path, name)
	return o, o.cases, nil
}

// again runs exactly one test.
func (c *Chain) again(ctx context.Context, tree Tree, v *Verdict, name string, cases []qa.Case, edit func(*executor.Options)) (outcome, executor.Run, error) {
	run, err := c.suite(ctx, tree, selection(v, cases), edit)
	if err != nil {
		return outcome{}, run, err
	}
	return read(run, v.Path, name), run, nil
}

// read finds a test in a run; sub-tests and parameters of one test count
// together, the worst of them decides.
func read(run executor.Run, path, name string) outcome {
	o := outcome{status: qa.NotRun, why: run.Inconclusive}
	for _, p := range run.Suite.Problems {
		if o.why == "" {
			o.why = p.Kind + ": " + p.Message
		}
		if p.Kind == "build" || p.Kind == "collect" || p.Kind == "setup" {
			o.status = qa.BuildFailed
		}
	}
	for _, k := range run.Suite.Cases {
		if !matches(k, path, name) {
			continue
		}
		o.cases = append(o.cases, k)
		switch {
		case k.Status == qa.Errored:
			o.status, o.why, o.errored = qa.Errored, k.Message, true
		case k.Status.Bad() && o.status != qa.Errored:
			o.status, o.why = qa.Failed, k.Message
		case (k.Status == qa.Passed || k.Status == qa.Flaky) && !o.status.Bad():
			o.status, o.why = qa.Passed, ""
		}
	}
	if run.TimedOut {
		o.status, o.why, o.errored = qa.Errored, run.Inconclusive, true
	}
	return o
}

// matches compares a test's name in the source with a case of a report:
// "outer > inner" is inner, "Class.test_x" is test_x, and sub-tests and
// parameters ("TestX/a", "test_x[1]") belong to their test.
func matches(k qa.Case, path, name string) bool {
	if k.File != "" && k.File != path {
		return false
	}
	want := last(name)
	have := last(k.Name)
	if strings.HasSuffix(path, ".go") {
		have, _, _ = strings.Cut(have, "/")
	}
	if strings.HasSuffix(path, ".py") {
		if i := strings.LastIndexByte(want, '.'); i >= 0 {
			want = want[i+1:]
		}
		have, _, _ = strings.Cut(have, "[")
	}
	return have == want || strings.HasSuffix(have, " "+want)
}

func last(name string) string {
	if i := strings.LastIndex(name, " > "); i >= 0 {
		return name[i+3:]
	}
	return name
}

// policy is G0 and G1; it gives the test file with the candidate in it.
func (c *Chain) policy(v *Verdict) (placed []byte, name string, ok bool) {
	adapter, err := framework.For(c.Target.Framework.Framework)
	if err != nil || !filepath.IsLocal(v.Path) || !adapter.IsTest(v.Path) {
		return nil, "", v.drop("G0", "%s is not a test file of %s", v.Path, c.Target.Framework.Framework)
	}
	now, err := c.current(v.Path)
	if err != nil {
		return nil, "", v.drop("G0", "%v", err)
	}
	placed, err = source.Place(now, v.Path, v.Candidate.New())
	if err != nil {
		return nil, "", v.drop("G0", "%v", err)
	}
	violations, err := source.Policy(v.Path, now, placed, c.Known)
	if err != nil {
		return nil, "", v.drop("G0", "%v", err)
	}
	if len(violations) > 0 {
		return nil, "", v.drop("G0", "%s: %s", violations[0].Rule, violations[0].Message)
	}
	before, after := names(v.Path, now), names(v.Path, placed)
	added := slices.DeleteFunc(slices.Clone(after), func(n string) bool { return slices.Contains(before, n) })
	if len(added) != 1 {
		return nil, "", v.drop("G0", "expected exactly one new test, found %d", len(added))
	}
	name = added[0]
	hash, err := source.Hash(v.Path, placed, name)
	if err != nil {
		return nil, "", v.drop("G1", "%v", err)
	}
	for _, other := range before {
		if same, err := source.Hash(v.Path, placed, other); err == nil && same == hash {
			return nil, "", v.drop("G1", "does the same as %q", other)
		}
	}
	if other, taken := c.hashes[hash]; taken {
		return nil, "", v.drop("G1", "does the same as %q", other)
	}
	v.Name = name
	return placed, name, true
}

func names(path string, src []byte) []string {
	if src == nil {
		return nil
	}
	tests, err := source.Tests(path, src)
	if err != nil {
		return nil
	}
	out := make([]string, len(tests))
	for i, t := range tests {
		out[i] = t.Name
	}
	return out
}

// onBase runs the same test with the sources of base.
func (c *Chain) onBase(ctx context.Context, v *Verdict, placed []byte, name string) (qa.Status, error) {
	if c.Base == nil {
		return qa.NotRun, nil
	}
	if err := c.Base.Write(v.Path, placed); err != nil {
		return "", err
	}
	o, _, err := c.outcome(ctx, c.Base, v, name)
	if err != nil {
		return "", err
	}
	if o.status == qa.NotRun {
		return qa.BuildFailed, nil
	}
	return o.status, nil
}

// perturbations are runs under other circumstances; a good test does not care.
var perturbations = []struct {
	name string
	edit func(*executor.Options)
}{
	{"in another order", func(o *executor.Options) { o.Shuffle = true }},
	{"in another time zone and language", func(o *executor.Options) {
		o.Env = append(slices.Clone(o.Env), "TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "LC_ALL=C")
	}},
	{"with other tests of its file", func(o *executor.Options) {
		o.Tests = slices.Clone(o.Tests)
		for i := range o.Tests {
			o.Tests[i].Name = ""
		}
	}},
}

// stable is G5 and the alone half of G6.
func (c *Chain) stable(ctx context.Context, v *Verdict, name string, want qa.Status) (bool, error) {
	_, cases, err := c.outcome(ctx, c.Head, v, name)
	if err != nil {
		return false, err
	}
	check := func(how string, edit func(*executor.Options)) (bool, error) {
		o, _, err := c.again(ctx, c.Head, v, name, cases, edit)
		if err != nil {
			return false, err
		}
		if o.status != want {
			return v.drop("G5", "%s it is %s, expected %s", how, o.status, want), nil
		}
		return true, nil
	}
	for n := range c.Repeat {
		if ok, err := check(fmt.Sprintf("run %d of %d:", n+1, c.Repeat), nil); err != nil || !ok {
			return false, err
		}
	}
	for _, p := range perturbations {
		if ok, err := check(p.name+":", p.edit); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}
