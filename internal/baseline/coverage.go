package baseline

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// combine puts the coverage of all targets together and measures the change.
func (m measurer) combine() {
	b := m.b
	var heads, bases []*qa.Coverage
	var of, without []string
	added := each.Count(b.Runs, func(run executor.Baseline) bool { return run.Added })
	for _, run := range b.Runs {
		switch {
		case run.Head.Inconclusive == "" && run.Head.Coverage != nil:
			heads, of = append(heads, run.Head.Coverage), append(of, run.Target.Name)
		case run.Unavailable == "" && slices.ContainsFunc(m.Change.Files, func(f qa.FileChange) bool { return qa.Below(f.Path, run.Target.Framework.Dir) }):
			without = append(without, unmeasured(run))
		}
		if run.Base != nil && run.Base.Coverage != nil {
			bases = append(bases, run.Base.Coverage)
		}
	}
	if len(heads) == 0 {
		b.Coverage.Reason = b.unknownCoverage()
		return
	}
	if len(without) > 0 {
		b.Coverage.Part = fmt.Sprintf("of %s alone; not measured: %s", some(of), strings.Join(without[:min(len(without), namedFiles)], "; "))
	}
	if !b.Split.Whole() {
		b.Coverage.Part = fmt.Sprintf("of part %d of %d of the tests alone", b.Split.Index, b.Split.Of)
	}
	if left := b.Tests().LeftOut(); left.Any() {
		b.Coverage.Part = also(b.Coverage.Part, "of the tests that the change can reach alone ("+left.Said("test files or packages")+" left out)")
	}
	b.Coverage.Head = coverage.Merge(heads...)
	var base *qa.Coverage
	if whole := b.Split.Whole() && !leftOut(b); whole && len(bases) > 0 && len(bases)+added == len(b.Runs) {
		base = coverage.Merge(bases...)
		b.Coverage.Base = base
	} else if whole {
		base = m.Past.Counts(m.Change.Base, b.Runs)
	}
	patch := coverage.Patch(b.Coverage.Head, m.Change.Files, coverage.PatchOptions{Exclude: m.Config.Exclude, Source: m.Text})
	b.Coverage.Patch = &patch
	if files := coverage.Forsaken(b.Coverage.Head, base, patch, m.Change.Files); len(files) > 0 {
		b.Command = also(b.Command, "base's tests ran more of what changed; nothing runs what the change wrote, and less of what it left: "+some(files))
	}
}

// unmeasured says why a target has no coverage.
func unmeasured(run executor.Baseline) string {
	why := run.Head.CoverageReason
	if run.Head.Inconclusive != "" {
		why = "the tests could not be judged"
	}
	return of(run.Target.Name, why)
}

// unknownCoverage is the reason of the target that comes nearest to having
// coverage: one that was asked for it, before those that cannot tell, did not run
// or do not start here at all.
func (b *Baseline) unknownCoverage() string {
	best, reason := math.MaxInt, ""
	if why := b.Runs; len(why) > 1 && why[0].Head.CoverageReason != "" && !slices.ContainsFunc(why, func(r executor.Baseline) bool {
		return r.Head.CoverageReason != why[0].Head.CoverageReason || r.Head.Inconclusive != ""
	}) {
		return why[0].Head.CoverageReason // no target is another case
	}
	for _, run := range b.Runs {
		far := 0
		switch {
		case run.Unavailable != "":
			far = 3
		case run.Head.Inconclusive != "":
			far = 2
		case !run.Target.Framework.Coverage:
			far = 1
		}
		if far < best {
			best, reason = far, unmeasured(run)
		}
	}
	return reason
}
