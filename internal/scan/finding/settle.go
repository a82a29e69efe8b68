// Package finding makes [qa.Finding]s of hits, in one fixed order: locate and quote
// (our code reads the file, no engine is believed), look the rule up in rules.csv,
// merge what several engines say of one place, decide what is new, apply
// dismissals, rank, cut.
package finding

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// Settle makes findings of hits. The order of the steps matters and is the
// order of the lines.
func Settle(of engine.Subject, set settlement, t *engine.Tree, hits []Reported) Result {
	res := Result{Folded: map[string]int{}, Skipped: t.Skipped}
	asked := set.Asked(t)
	var found []entry
	for _, h := range hits {
		e, why := locate(of, t, h)
		if why != "" {
			res.Folded[why]++
			continue
		}
		e.f.Perspectives = slices.DeleteFunc(e.f.Perspectives, func(p qa.Perspective) bool { return !slices.Contains(asked, p) })
		if len(e.f.Perspectives) == 0 {
			res.Folded["perspective not asked for"]++
			continue
		}
		found = append(found, e)
	}
	found = merge(found)
	mask := newMask(hits, quoted(found))
	for i := range found {
		found[i].quote(mask)
	}
	fingerprint(found)
	for i := range found {
		e := &found[i]
		e.f.Status = e.status(of.Change)
		e.f.Owners = set.owners.of(e.f.Path)
		e.f.KnownPattern = known(set.KnownPatterns, e)
	}
	res.Warnings = append(set.warnings, dismiss(found, set.said, set.Now)...)
	for _, e := range found {
		res.Findings = append(res.Findings, e.f)
	}
	return cut(set.MinSeverity, res)
}

// quoted lists the files that findings quote, each once.
func quoted(found []entry) []*engine.File {
	var out []*engine.File
	for _, e := range found { // sorted by path
		if len(out) == 0 || out[len(out)-1] != e.file {
			out = append(out, e.file)
		}
	}
	return out
}

// Reported is a hit with what the run found out about it.
type Reported struct {
	engine.Hit
	Own bool // concerns its own line only
	Old bool // also reported on the base content
	// Brought says that the engine compared with base itself, and that the change did it.
	Brought bool
	// Fresh says that the file is no program any more, and was one on base.
	Fresh bool
}

// entry is a finding on its way.
type entry struct {
	f     qa.Finding
	file  *engine.File
	group string
	old   bool // stood on base
	own   bool // concerns its own line only
	fresh bool // the file is no program any more
	since bool // the change brought it, as the engine says
	text  string
	mask  []string
}

// locate checks a hit against the tree. why is set when it cannot be shown.
func locate(of engine.Subject, t *engine.Tree, h Reported) (e entry, why string) {
	p, ok := of.Relative(h.Path)
	if !ok {
		return e, "outside the working copy"
	}
	file := t.ByPath[p]
	if file == nil && h.Lines == (qa.Range{}) {
		file = t.Gone[p] // of what is not there any more something may be missed
	}
	if file == nil {
		if t.Skipped[p] != "" {
			return e, "in skipped files"
		}
		return e, "outside the change"
	}
	if h.Lines.End < h.Lines.Start {
		h.Lines.End = h.Lines.Start
	}
	if n := file.Lines(); h.Lines.Start == n+1 && h.Breaks() {
		h.Lines = qa.Range{Start: n, End: n} // the end of the file is a place too
	} else if h.Lines.Start < 0 || h.Lines.Start > n {
		return e, "line does not exist"
	} else if h.Lines.End > n {
		h.Lines.End = n
	}
	info := engine.RuleFor(h.Hit)
	e = entry{file: file, group: info.Group, old: h.Old, own: h.Own, fresh: h.Fresh, since: h.Brought, mask: h.Secrets}
	e.f = qa.Finding{
		Rule:     qa.Rule{ID: h.Rule, Name: h.Name, URL: h.URL},
		Severity: info.Severity, Perspectives: slices.Clone(info.Perspectives), CWE: info.CWE,
		Engines: []string{h.Engine}, Path: p, Lines: h.Lines, Column: max(h.Column, 0),
		Message: h.Message, Suggestion: h.Suggestion, Evidence: h.Evidence,
	}
	e.f.Evidence = cmp.Or(e.f.Evidence, qa.Corroborated)
	if fixed, ok := file.Fixed(h.Fix); ok {
		e.f.Fix = &fixed
	}
	if o, ok := file.Outline(); ok && h.Lines.Start > 0 {
		if fn := o.Enclosing(h.Lines.Start); fn != nil {
			e.f.Symbol = fn.Name
		}
	}
	return e, ""
}

// status decides whether the change brought the finding.
func (e *entry) status(change qa.Change) qa.FindingStatus {
	switch {
	case change.All || e.fresh || e.since || e.file.Status == qa.Added || e.file.Status == qa.Deleted:
		return qa.StatusNew
	case e.old || e.f.Lines.Start == 0:
		return qa.StatusKnown
	case e.file.Touches(e.f.Lines):
		return qa.StatusNew
	case e.own:
		return qa.StatusKnown
	}
	if o, ok := e.file.Outline(); ok {
		if fn := o.Enclosing(e.f.Lines.Start); fn != nil && e.file.Alters(fn.Lines) {
			return qa.StatusNew
		}
	}
	return qa.StatusKnown
}

// known names the defect pattern of the history that the finding repeats.
func known(patterns []qa.Pattern, e *entry) string {
	for _, p := range patterns {
		if p.Type == e.group || p.Type == e.f.Rule.ID || slices.Contains(p.Files, e.f.Path) {
			return p.Type
		}
	}
	return ""
}
