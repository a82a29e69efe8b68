package assurance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// contradicted is G10: head and base disagree about a function, and a stable
// test shows that base was right. What else captures the change of that function
// may write the regression down as wanted, and is dropped unless it can be told
// [Chain.separable] from it. A difference that its author holds for one nobody relies
// on speaks against no test of a feature.
func (c *Chain) contradicted(ctx context.Context, verdicts []Verdict) error {
	proofs := map[string][]*Verdict{}
	unit := func(v *Verdict) string { return v.Candidate.Source + "\x00" + v.Target }
	for i := range verdicts {
		if v := &verdicts[i]; v.Proof != nil && v.Proof.Regression && v.Target != "" && !v.minor() {
			proofs[unit(v)] = append(proofs[unit(v)], v)
		}
	}
	for i := range verdicts {
		v := &verdicts[i]
		against := proofs[unit(v)]
		if len(against) == 0 || !v.Kept || v.Class != capturing {
			continue
		}
		separable, err := c.separable(ctx, v, against)
		if err != nil {
			return err
		}
		if !separable {
			v.drop("G10", "base disagrees with it, and %q proves a regression of the same function", against[0].Name)
			continue
		}
		v.Reason += fmt.Sprintf("; it holds without what %q proves wrong", against[0].Name)
	}
	return nil
}

// minor reports a proof of a difference that no finding claims and that its author holds
// for low.
func (v *Verdict) minor() bool {
	return v.Candidate.Finding == "" && v.Candidate.Severity == string(qa.Low)
}

// maxPerFile bounds the accepted tests of one file.
const maxPerFile = 12

// minimise is G11: a test whose lines and mutants others have is dropped; those
// that capture the change stay, and those that notice a regression that there was.
func minimise(verdicts []Verdict) {
	lines, mutants, perFile := map[string]bool{}, map[string]bool{}, map[string]int{}
	for i := range verdicts {
		v := &verdicts[i]
		if !v.Kept {
			continue
		}
		fresh := v.Class == capturing || v.former != ""
		for path, ns := range v.Lines {
			for _, n := range ns {
				key := fmt.Sprintf("%s:%d", path, n)
				fresh = fresh || !lines[key]
				lines[key] = true
			}
		}
		for _, id := range v.Killed {
			fresh = fresh || !mutants[id]
			mutants[id] = true
		}
		if perFile[v.Path]++; !fresh {
			v.drop("G11", "what it covers and kills, others do")
		} else if perFile[v.Path] > maxPerFile {
			v.drop("G11", "more than %d tests for one file", maxPerFile)
		}
	}
}

// whole is G12: with everything that was kept, the suite must be as green as
// without. A kept test that fails there is dropped; when something else fails
// that does not fail without them, all of them are.
func (c *Chain) whole(ctx context.Context, verdicts []Verdict) error {
	if !slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Kept }) {
		return nil
	}
	with, err := c.suite(ctx, c.Head, nil, nil)
	if err != nil {
		return err
	}
	dropped := false
	for _, k := range with.Suite.Cases {
		if !k.Status.Bad() {
			continue
		}
		mine := slices.IndexFunc(verdicts, func(v Verdict) bool { return v.Kept && v.is(k) })
		if mine >= 0 {
			verdicts[mine].drop("G12", "fails in the whole suite: %s", k.Message)
			dropped = true
		}
	}
	blame, err := c.blame(ctx, with, verdicts)
	if err != nil {
		return err
	}
	for i := range verdicts {
		if blame != "" && verdicts[i].Kept {
			verdicts[i].drop("G12", "%s", blame)
			dropped = true
		}
	}
	if dropped || blame != "" {
		return c.rebuild(ctx, verdicts)
	}
	return nil
}

func (v *Verdict) is(k qa.Case) bool {
	return slices.ContainsFunc(v.ids, func(own qa.Case) bool { return own.ID() == k.ID() })
}

// blame says what goes wrong with the accepted tests in the suite and not
// without them. The suite is run without them only when something does, and both
// ways once more before anybody is blamed: a test of the project that fails now
// and then is nobody's fault.
func (c *Chain) blame(ctx context.Context, with executor.Run, verdicts []Verdict) (string, error) {
	wrong := c.wrong(with, verdicts)
	keep := func(in map[string]string, there bool) {
		maps.DeleteFunc(wrong, func(what, _ string) bool { _, is := in[what]; return is != there })
	}
	const rounds = 2
	for n := range rounds {
		if n > 0 && len(wrong) > 0 {
			again, err := c.suite(ctx, c.Head, nil, nil)
			if err != nil {
				return "", err
			}
			keep(c.wrong(again, verdicts), true)
		}
		if len(wrong) == 0 {
			return "", nil
		}
		without, err := c.bare(ctx)
		if err != nil {
			return "", err
		}
		keep(c.wrong(without, nil), false)
	}
	if what := slices.Sorted(maps.Keys(wrong)); len(what) > 0 {
		return wrong[what[0]], nil
	}
	return "", nil
}

// bare runs the whole suite without the accepted tests.
func (c *Chain) bare(ctx context.Context) (executor.Run, error) {
	for path := range c.added {
		raw, err := c.original(path)
		if err != nil {
			return executor.Run{}, err
		}
		if err := put(c.Head, path, raw); err != nil {
			return executor.Run{}, err
		}
	}
	run, err := c.suite(ctx, c.Head, nil, nil)
	for path, raw := range c.added {
		err = errors.Join(err, put(c.Head, path, raw))
	}
	return run, err
}

// wrong lists what is not as it should be in a run, our own tests apart.
func (c *Chain) wrong(run executor.Run, verdicts []Verdict) map[string]string {
	out := map[string]string{}
	for _, k := range run.Suite.Cases {
		ours := slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.is(k) })
		if k.Status.Bad() && !c.Failing[k.ID()] && !ours {
			out[k.ID()] = "makes " + k.ID() + " fail"
		}
	}
	for _, p := range run.Suite.Problems {
		out[p.Kind+" "+p.Where] = p.Kind + ": " + p.Message
	}
	if run.Inconclusive != "" {
		out["inconclusive"] = run.Inconclusive
	}
	return out
}
