package markdown

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// manifest says what was done, skipped and cut, by what and at which price.
func manifestSection(p page) fit.Section {
	m := p.r.Manifest
	s := fit.Section{Title: "manifest", Noun: "manifest entries", Rank: 9, Share: 0.15}
	s.Open, s.Close = p.fold("What was looked at, by what, and what was not")
	add := func(format string, args ...any) {
		s.Items = append(s.Items, fit.Item{Full: "- " + fmt.Sprintf(format, args...) + "\n"})
	}
	for _, t := range extract.Targets(p.r) {
		add("%s", targetWords(t))
	}
	checked(m, add)
	for _, what := range m.Unrun {
		add("not run: %s", escape.Prose(what, 300))
	}
	for _, line := range p.engines() {
		add("%s", line)
	}
	if m.Model.Configured {
		add("%s", modelWords(p.r))
	}
	if m.Delivery != nil {
		add("%s", deliveryWords(*m.Delivery))
	}
	for _, c := range m.Cuts {
		add("cut by a budget: %s", escape.Prose(c, 200))
	}
	for _, what := range slices.Sorted(maps.Keys(m.Skipped)) {
		if slices.Contains(m.Unrun, what+": "+m.Skipped[what]) {
			continue
		}
		add("not reviewed %s: %s", escape.Code(what, 100), extract.OrUnknown(escape.Prose(m.Skipped[what], 200)))
	}
	if m.Runtime != "" {
		add("ran in %s", escape.Prose(m.Runtime, 200))
	}
	for _, line := range m.Prepared {
		add("%s", escape.Prose(line, 300))
	}
	if len(m.Isolation) > 0 && !p.folds { // layers that are off stand under the verdict
		layers := each.Of(m.Isolation, func(l string) string { return escape.Prose(l, 120) })
		add("isolation: %s", strings.Join(layers, "; "))
	}
	if len(m.Tasks) > 0 && (!p.folds || slices.ContainsFunc(m.Tasks, func(t qa.TaskRow) bool { return t.Status == "failed" })) {
		add("tasks: %s", taskWords(m.Tasks))
	}
	if len(m.Times) > 0 {
		add("time: %s", timeWords(m.Times))
	}
	for _, line := range reviewedWords(m) {
		add("%s", line)
	}
	if v := strings.TrimSpace(escape.Prose(m.Tool, 30) + " " + escape.Prose(m.Version, 40)); v != "" {
		add("made by %s, session %s", v, escape.Code(p.r.Session, 80))
	}
	if len(s.Items) == 0 {
		return fit.Section{}
	}
	return s
}

func targetWords(t qa.TargetRow) string {
	text := "target " + escape.Code(t.Name, 60)
	if t.Dir != "" && t.Dir != t.Name {
		text += " in " + escape.Code(t.Dir, 80)
	}
	text += ": "
	if by := strings.TrimSpace(escape.Prose(t.Framework, 30) + " " + escape.Prose(t.Version, 30)); by != "" {
		text += by + ", "
	}
	if t.State != "ran" {
		return text + "**" + extract.OrUnknown(escape.Prose(t.State, 20)) + "**: " + escape.Prose(t.Reason, 240)
	}
	if t.ExitOnly {
		text += extract.ExitOnly
	} else {
		text += extract.TallyWords(t.Tests, "")
	}
	if t.Reason != "" && !t.ExitOnly {
		text += " (" + escape.Prose(t.Reason, 240) + ")"
	}
	if t.Lines != nil {
		text += ", lines " + number.Fraction(*t.Lines)
	}
	if t.Command != "" {
		text += ", " + escape.Code(t.Command, 200)
	}
	return text
}

func engineWords(e qa.Engine) string {
	text := "engine " + strings.TrimSpace(escape.Prose(e.Name, 300)+" "+escape.Prose(e.Version, 40))
	if e.State == "ran" {
		return text + fmt.Sprintf(": %s in %s", wording.Count(e.Findings, "finding"), number.Duration(e.Seconds))
	}
	text += ": **" + extract.OrUnknown(escape.Prose(e.State, 20)) + "**"
	if e.Reason != "" {
		text += ", " + escape.Prose(e.Reason, 240)
	}
	return text
}

func modelWords(r *qa.Report) string {
	text := extract.ModelText(r, escape.Prose)
	if why := r.Manifest.Model.Error; why != "" {
		text += ", **" + escape.Prose(why, 240) + "**"
	}
	return text
}

// timeWords says how long each phase was under way.
func timeWords(times []qa.PhaseTime) string {
	parts := each.Of(times, func(t qa.PhaseTime) string { return escape.Prose(t.Phase, 40) + " " + number.Duration(t.Seconds) })
	return strings.Join(parts, ", ") + " (side by side)"
}

// taskWords groups tasks by what became of them.
func taskWords(tasks []qa.TaskRow) string {
	var parts []string
	for _, status := range []string{"completed", "failed", "skipped", "running", "pending"} {
		var ids []string
		for _, t := range tasks {
			if t.Status == status {
				ids = append(ids, escape.Prose(t.ID, 40))
			}
		}
		if len(ids) > 0 {
			parts = append(parts, status+" "+strings.Join(extract.Firsts(ids, 20), ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// reviewedWords say which files were looked at, and by whom: a model is shown program
// text alone, and what it never saw is not its review.
func reviewedWords(m qa.Manifest) []string {
	shown, alike := map[string]bool{}, map[string]string{}
	model := false
	for _, e := range m.Engines {
		model = model || e.Name == "model" && len(e.Reviewed)+len(e.Unseen) > 0
		for _, f := range e.Reviewed {
			shown[f] = true
		}
		maps.Copy(alike, e.Alike)
	}
	var seen, scanned []string
	by := map[string][]string{}
	for _, f := range m.Reviewed {
		switch name := escape.Code(f, 100); {
		case shown[f]:
			seen = append(seen, name)
		case alike[f] != "":
			by[alike[f]] = append(by[alike[f]], name)
		default:
			scanned = append(scanned, name)
		}
	}
	words := func(by string, names []string) string {
		return "reviewed " + wording.Count(len(names), "file") + by + ": " + strings.Join(extract.Firsts(names, 30), ", ")
	}
	var out []string
	if len(seen) > 0 {
		out = append(out, words(" by the model", seen))
	}
	for _, first := range slices.Sorted(maps.Keys(by)) {
		out = append(out, words(" by the model in "+escape.Code(first, 100)+" alone, which has the same edit", by[first]))
	}
	switch {
	case len(scanned) > 0 && model:
		out = append(out, words(" by rules alone, without the model", scanned))
	case len(scanned) > 0:
		out = append(out, words("", scanned))
	}
	return out
}

// engines says what looked at the change; a page that folds names those that found
// nothing in one line.
func (p page) engines() []string {
	engines := extract.EngineGroups(p.r.Manifest.Engines)
	var out []string
	if p.folds {
		var silent []string
		if engines, silent = splitSilent(engines); len(silent) > 0 {
			out = append(out, "found nothing: "+strings.Join(silent, ", "))
		}
	}
	return append(out, each.Of(engines, engineWords)...)
}

// splitSilent takes out the engines that ran and found nothing, by name, and leaves
// out those that had nothing to look at.
func splitSilent(engines []qa.Engine) (others []qa.Engine, silent []string) {
	for _, e := range engines {
		if (e.State == "missing" || e.State == "skipped") && e.Gap == "" {
			continue
		}
		if e.State != "ran" || e.Findings > 0 || e.Reason != "" {
			others = append(others, e)
			continue
		}
		silent = append(silent, strings.TrimSpace(escape.Prose(e.Name, 40)+" "+escape.Prose(e.Version, 40)))
	}
	return others, silent
}

// checked says of the parts of the test scripts that are no tests how they ended.
func checked(m qa.Manifest, add func(format string, args ...any)) {
	for _, c := range extract.ChecksLeft(m) {
		why := ""
		if c.Reason != "" {
			why = ": " + escape.Prose(c.Reason, 200)
		}
		add("check of the test scripts, not run: %s%s", escape.Code(c.Check, 200), why)
	}
	for _, c := range m.Checked {
		if c.State != "not run" {
			add("check of the test scripts, %s: %s", escape.Prose(c.State, 20), escape.Code(c.Check, 200))
		}
	}
}
