package executor

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// told is what runs say of each test, by its id.
type told struct {
	own, base map[string]qa.Case
	whole     bool            // base ran, all of it
	fresh     map[string]bool // base is known not to have them
	ran       map[string]bool
	retried   map[string]bool // the runner itself did it until they passed
	problems  []qa.Problem    // that kept tests of head from running
}

func tell(runs []Baseline) told {
	out := told{map[string]qa.Case{}, map[string]qa.Case{}, true, map[string]bool{}, map[string]bool{}, map[string]bool{}, nil}
	for _, b := range runs {
		maps.Copy(out.own, each.By(b.Tests.Cases, qa.Case.ID))
		out.problems = append(out.problems, b.Head.Suite.Problems...)
		for _, k := range b.Head.Suite.Cases {
			out.ran[k.File], out.retried[k.ID()] = true, k.Status == qa.Flaky
		}
		for _, id := range b.Tests.Added {
			out.fresh[id] = true
		}
		out.whole = out.whole && b.Base != nil && b.BaseReason == ""
		if b.Base != nil {
			maps.Copy(out.base, each.By(b.Base.Suite.Cases, qa.Case.ID))
		}
	}
	return out
}

// asBefore reports whether a test should say what it said before the change. One that the
// change wrote may need what it wrote beside it.
func (s told) asBefore(k qa.Case, touched func(files ...string) bool) bool {
	return !touched(k.File) || k.Status.Bad() && (!s.whole && !s.fresh[k.ID()] || s.base[k.ID()].Status == qa.Passed)
}

// quiet reports whether a test does not run on head and passed on base, as far as is known. A
// file that cannot be loaded is reported as if it were a test.
func (s told) quiet(k qa.Case) bool {
	now := s.own[k.ID()].Status
	return (now == "" || now == qa.Skipped) && tests(k) > 0 && (!s.whole || s.base[k.ID()].Status == qa.Passed)
}

// Unlike finds the tests that fail in a run of head in which base's configuration stands in
// the place of head's, and do not in head's own, and says what else it shows: that it cannot
// be judged, tests that only run there, errors outside of tests; empty when it shows the
// same. Touched tells the files of the change.
func Unlike(runs []Baseline, t Target, with Run, touched func(files ...string) bool) (fails []qa.Case, said []string) {
	if with.Inconclusive != "" {
		return nil, []string{"cannot be judged: " + with.Inconclusive}
	}
	var gone, broken []string
	// Two targets may have tests of one name; where base's configuration has the
	// target under another name, all of head's are looked at.
	alike := slices.DeleteFunc(slices.Clone(runs), func(ran Baseline) bool { return ran.Target.Name != t.Name })
	if len(alike) == 0 {
		alike = runs
	}
	s := tell(alike)
	for _, k := range with.Suite.Cases {
		was, had := s.own[k.ID()]
		now := was.Status
		switch {
		case k.Status.Bad() && !now.Bad() && (now != qa.Flaky || s.retried[k.ID()]) && s.asBefore(k, touched):
			fails = append(fails, k)
		case k.Status == qa.Passed && (!had || now == qa.Skipped) && !(touched(k.File) && s.ran[k.File]): // which the change took out of its file
			gone = append(gone, k.ID())
		}
	}
	for _, p := range with.Suite.Problems {
		if !touched(p.Where) && !slices.ContainsFunc(s.problems, func(o qa.Problem) bool { return o.Where == p.Where }) {
			broken = append(broken, p.Where+" ("+p.Kind+")")
		}
	}
	if len(broken) > 0 {
		said = append(said, "fails: "+some(broken))
	}
	if len(gone) > 0 {
		said = append(said, "runs what is no longer run: "+some(gone))
	}
	if len(fails)+len(said) == 0 && with.Suite.Tally().Passed == 0 && !with.ExitOnly {
		said = append(said, "runs no test")
	}
	return fails, said
}

// Known reports whether base ran, or an earlier run stands for it.
func Known(runs []Baseline) bool {
	return !slices.ContainsFunc(runs, func(b Baseline) bool { return (b.Base == nil || b.BaseReason != "") && !b.Remembered })
}

// WasBad reports whether a test is known to have failed on base.
func WasBad(runs []Baseline, k qa.Case) bool { return tell(runs).base[k.ID()].Status.Bad() }

// some are the first of the names in a reason.
func some(names []string) string { return wording.Some(slices.Sorted(slices.Values(names)), 3) }

// Bent are the tests that pass on head or do not run there, and fail in a run of head in which
// something that they have in common is as base has it, but for those whose failure misfit takes
// for one of that alone.
func Bent(runs []Baseline, with Run, touched func(files ...string) bool, misfit func(qa.Case) bool) []qa.Case {
	s := tell(runs)
	return each.Where(with.Suite.Cases, func(k qa.Case) bool {
		return k.Status.Bad() && (s.own[k.ID()].Status == qa.Passed || s.quiet(k)) && s.asBefore(k, touched) && !misfit(k)
	})
}

// Misfit tells failures of tests that what they have in common, or a test of base, has when it
// does not fit the product any more: a name, a module, a method or a signature that is not
// there, in one of its files, with no changed file of the product on the way. A product that
// crashes itself is no such thing, and neither is a crash over a value that it gave, as null.
func Misfit(common, product []string) func(qa.Case) bool {
	ours, theirs := framed(common), framed(each.Where(product, func(name string) bool { return !slices.Contains(common, name) }))
	return func(k qa.Case) bool {
		text := k.Message + "\n" + k.Output
		return qa.Unfit(k) && (ours(text) || k.Status == qa.Errored) && !theirs(text)
	}
}

// framed tells whether a text has a line of one of some files, as a trace of calls does.
func framed(files []string) func(text string) bool {
	if len(files) == 0 {
		return func(string) bool { return false }
	}
	frame := regexp.MustCompile(`(?:^|[^\w.-])(?:` + strings.Join(each.Of(files, regexp.QuoteMeta), "|") + `)(?::|", line )\d`)
	return frame.MatchString
}
