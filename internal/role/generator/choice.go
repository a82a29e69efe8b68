package generator

import (
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/wording"
)

// chosen picks the functions of a round among those that fit the layer, riskiest first;
// where there are more than a round asks about, those of which something is known to be
// gained come before the others. Left says why the rest is not asked about.
func (w Writer) chosen(layer qa.Layer, round int, k Known) (asked []qa.Focus, left []string) {
	all := k.round(round, func(f qa.Focus) bool { return layer != qa.L2 || len(w.entries(f, k)) > 0 })
	asked = each.Where(all, func(f qa.Focus) bool { return !w.spent(f, k) })
	if n := len(all) - len(asked); n > 0 {
		left = append(left, wording.Count(n, "function")+" not asked about, whose tests notice all that was tried")
	}
	if n := len(asked) - perRound; n > 0 {
		gains := func(f qa.Focus) bool {
			own, beneath := w.Code.Provable(f, k.asked())
			return len(own)+len(beneath)+len(k.offered(f))+len(k.openLines(f)) > 0
		}
		asked = slices.Concat(each.Where(asked, gains), each.Where(asked, func(f qa.Focus) bool { return !gains(f) }))[:perRound]
		left = append(left, wording.Count(n, "function")+" more than a round asks about")
	}
	return asked, left
}

// spent reports that a question about a function would gain nothing: a model has read its
// file, nobody claims anything of it, and its tests run all lines that the change wrote and
// notice every wrong version of them, or there is none, as of a name that became another.
// What nobody read, measured or tried is asked about, and so is one of which lines are gone,
// as nothing measures those.
func (w Writer) spent(f qa.Focus, k Known) bool {
	file, changed := w.Change.File(f.Path)
	if !changed || !k.ran(f) || k.Read == nil || !k.Read(f.Path) {
		return false
	}
	gone := slices.ContainsFunc(file.Gaps, func(gap int) bool { return f.Lines.Start <= gap && gap < f.Lines.End })
	claimed := slices.ContainsFunc(k.Findings, func(found qa.Finding) bool {
		return found.Path == f.Path && found.Lines.Overlaps(f.Lines) && related.Claimed(found)
	})
	if own, beneath := w.Code.Provable(f, k.Findings); gone || claimed || len(own)+len(beneath) > 0 {
		return false
	}
	src, err := w.Read(f.Path)
	if err != nil {
		return false
	}
	made, err := mutant.Make(f.Path, src, file.Added)
	all := k.within(f, made)
	tried := each.Set(each.Of(slices.Concat(k.Judged, k.Broken), func(m mutant.Mutant) string { return m.ID }))
	return err == nil && (len(all) == 0 || k.settled(f)) && !slices.ContainsFunc(all, func(m mutant.Mutant) bool { return !tried[m.ID] })
}
