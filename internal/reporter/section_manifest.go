package reporter

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// manifest says what was done, skipped and cut, by what and at which price.
func (p page) manifest() section {
	m := p.r.Manifest
	s := section{title: "manifest", noun: "manifest entries", rank: 9, share: 0.15}
	s.open, s.close = p.fold("What was looked at, by what, and what was not")
	add := func(format string, args ...any) {
		s.items = append(s.items, item{full: "- " + fmt.Sprintf(format, args...) + "\n"})
	}
	for _, t := range m.Targets {
		add("%s", targetWords(t))
	}
	for _, c := range m.Checks {
		add("check of the test scripts, not run: %s", code(c, 200))
	}
	for _, e := range engineGroups(m.Engines) {
		add("%s", engineWords(e))
	}
	if m.Model.Configured {
		add("%s", modelWords(m.Model))
	}
	if m.Delivery != nil {
		add("%s", deliveryWords(*m.Delivery))
	}
	for _, c := range m.Cuts {
		add("cut by a budget: %s", prose(c, 200))
	}
	for _, what := range slices.Sorted(maps.Keys(m.Skipped)) {
		add("skipped %s: %s", code(what, 100), orUnknown(prose(m.Skipped[what], 200)))
	}
	if m.Runtime != "" {
		add("ran in %s", prose(m.Runtime, 200))
	}
	for _, line := range m.Prepared {
		add("%s", prose(line, 300))
	}
	if len(m.Isolation) > 0 {
		var layers []string
		for _, l := range m.Isolation {
			layers = append(layers, prose(l, 120))
		}
		add("isolation: %s", strings.Join(layers, "; "))
	}
	if len(m.Tasks) > 0 {
		add("tasks: %s", taskWords(m.Tasks))
	}
	if n := len(m.Reviewed); n > 0 {
		var names []string
		for _, f := range m.Reviewed {
			names = append(names, code(f, 100))
		}
		add("reviewed %s: %s", wording.Count(n, "file"), strings.Join(firsts(names, 30), ", "))
	}
	if v := strings.TrimSpace(prose(m.Tool, 30) + " " + prose(m.Version, 40)); v != "" {
		add("made by %s, session %s", v, code(p.r.Session, 80))
	}
	if len(s.items) == 0 {
		return section{}
	}
	return s
}

// exitOnly is said of a command that reports no tests.
const exitOnly = "exit code only: no count of tests"

func targetWords(t qa.TargetRow) string {
	text := "target " + code(t.Name, 60)
	if t.Dir != "" && t.Dir != t.Name {
		text += " in " + code(t.Dir, 80)
	}
	text += ": "
	if by := strings.TrimSpace(prose(t.Framework, 30) + " " + prose(t.Version, 30)); by != "" {
		text += by + ", "
	}
	if t.State != "ran" {
		return text + "**" + orUnknown(prose(t.State, 20)) + "**: " + prose(t.Reason, 240)
	}
	if t.ExitOnly {
		text += exitOnly
	} else {
		text += tallyWords(t.Tests, "")
	}
	if t.Reason != "" && !t.ExitOnly {
		text += " (" + prose(t.Reason, 240) + ")"
	}
	if t.Lines != nil {
		text += ", lines " + fraction(*t.Lines)
	}
	if t.Command != "" {
		text += ", " + code(t.Command, 200)
	}
	return text
}

// engineGroups joins engines that did not run for one and the same reason into
// one entry, which names them all; those that ran stay as they are.
func engineGroups(engines []qa.Engine) []qa.Engine {
	var out []qa.Engine
	at := map[string]int{}
	for _, e := range engines {
		key := e.State + "\x00" + e.Reason
		if i, ok := at[key]; ok && e.State != "ran" {
			out[i].Name += ", " + e.Name
			out[i].Version = ""
			continue
		}
		at[key] = len(out)
		out = append(out, e)
	}
	return out
}

func engineWords(e qa.Engine) string {
	text := "engine " + strings.TrimSpace(prose(e.Name, 300)+" "+prose(e.Version, 40))
	if e.State == "ran" {
		return text + fmt.Sprintf(": %s in %s", wording.Count(e.Findings, "finding"), duration(e.Seconds))
	}
	text += ": **" + orUnknown(prose(e.State, 20)) + "**"
	if e.Reason != "" {
		text += ", " + prose(e.Reason, 240)
	}
	return text
}

func modelWords(m qa.ModelUse) string {
	var names []string
	for _, n := range firsts(m.Models, 4) {
		names = append(names, prose(n, 60))
	}
	text := "model " + orUnknown(strings.Join(names, ", ")) + ": " + wording.Count(m.Calls, "call") +
		fmt.Sprintf(" (%d from the cache, %d retried, %d cut short), %s in, %s out", m.Cached, m.Retries, m.Truncated,
			wording.Count(m.Prompt, "token"), wording.Number(m.Completion))
	text += ", " + costText(m.CostUSD)
	if m.Error != "" {
		text += ", **" + prose(m.Error, 240) + "**"
	}
	return text
}

// taskWords groups tasks by what became of them.
func taskWords(tasks []qa.TaskRow) string {
	var parts []string
	for _, status := range []string{"completed", "failed", "skipped", "running", "pending"} {
		var ids []string
		for _, t := range tasks {
			if t.Status == status {
				ids = append(ids, prose(t.ID, 40))
			}
		}
		if len(ids) > 0 {
			parts = append(parts, status+" "+strings.Join(firsts(ids, 20), ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// costText avoids the dollar sign, which starts a formula on the code host.
func costText(usd *float64) string {
	if usd == nil {
		return "cost unknown (no prices configured)"
	}
	return fmt.Sprintf("USD %.4f", *usd)
}
