package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
)

// totals are the numbers under the matrix.
type totals struct {
	cells        int
	found        map[finding]int
	environments []string // in the order of the table
	per          map[string]map[finding]int
}

func count(rows []entry) totals {
	t := totals{cells: len(rows), found: map[finding]int{}, per: map[string]map[finding]int{}}
	for _, r := range rows {
		name := r.environment.Name
		if t.per[name] == nil {
			t.per[name] = map[finding]int{}
			t.environments = append(t.environments, name)
		}
		t.found[r.Found]++
		t.per[name][r.Found]++
	}
	return t
}

// share is how many cells of an environment are INCONCLUSIVE without a true
// cause, and of how many.
func (t totals) share(environment string) (n, of int) {
	for f, k := range t.per[environment] {
		of += k
		if f == untold || f == badStep {
			n += k
		}
	}
	return n, of
}

func (t totals) String() string {
	var w strings.Builder
	fmt.Fprintf(&w, "%d cells: %d ok, %d false green, %d false red, %d broken; INCONCLUSIVE: %d with a true cause, %d without, %d whose next step does not help\n",
		t.cells, t.found[fine], t.found[falseGreen], t.found[falseRed], t.found[broken], t.found[told]+t.found[refused], t.found[untold], t.found[badStep])
	return w.String()
}

const head = `# Soundness

Written by ` + "`make sound`" + `; do not edit. Every row is a small repository with two commits. The project's own test command, without the product, ran on both: that is the oracle (what fails is run once more in the same copy; what then passes is flaky). Then ` + "`qa run --quiet --runtime host`" + ` ran without a model. The oracle reads names and counts from the runner's plain output with expressions of its own.

- **FALSE GREEN**: PASS or CONDITIONAL where head fails a test that base passes, where no test passed, or where less was shown than the verdict claims (an exit code without a count, a test command that the change made smaller).
- **FALSE RED**: FAIL where the change breaks no test.
- **INCONCLUSIVE** has a true cause when the environment or the fault has one and the report names it. In environments that can be mended, the command that the report names was carried out, and the next run has to reach a verdict.
- In *other-copy*, *missing* and *stale-caches* the bare command tests other code than the change or does not start, so it shows nothing: the truth is what the fault does in the prepared environment.

`

// matrix is docs/soundness.md; all is how many cells there are to run.
func matrix(rows []entry, t totals, all int) string {
	var w strings.Builder
	w.WriteString(head)
	if len(rows) < all {
		fmt.Fprintf(&w, "The run was stopped: %d of %d cells.\n\n", len(rows), all)
	}
	fmt.Fprintf(&w, "## Totals\n\n%s\n", t)
	w.WriteString("| environment | cells | false green | false red | INCONCLUSIVE, true cause | without | share without | broken |\n|---|---|---|---|---|---|---|---|\n")
	for _, e := range t.environments {
		n, of := t.share(e)
		p := t.per[e]
		fmt.Fprintf(&w, "| %s | %d | %d | %d | %d | %d | %.1f %% | %d |\n", e, of, p[falseGreen], p[falseRed], p[told]+p[refused], n, 100*float64(n)/float64(of), p[broken])
	}
	legend(&w, rows)
	w.WriteString("\n## Cells\n\n| project | fault | environment | bare head | bare base | verdict | reason | |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		v, reason := r.Verdict, short(r.Reason)
		v = cmp.Or(v, "none")
		if r.Found != fine && r.Why != "" && r.Why != reason {
			reason += " — " + r.Why
		}
		if r.Step != "" {
			reason += " — next step: `" + short(r.Step) + "`"
		}
		fmt.Fprintf(&w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", r.project.Name, r.fault.Name, r.environment.Name, r.Head, r.Base, v, escape(reason), mark(r))
	}
	return w.String()
}

func mark(r entry) string {
	if r.Found == told && r.Step != "" {
		return string(told) + ", mended"
	}
	return string(r.Found)
}

func escape(s string) string { return strings.NewReplacer("<", "&lt;", "|", "/").Replace(s) }

// legend says what the words of the table mean, for those that appear in it.
func legend(w *strings.Builder, rows []entry) {
	var projects, faults, environments []string
	for _, r := range rows {
		projects = each.Added(projects, "| "+r.project.Name+" | "+r.project.Says+" |")
		faults = each.Added(faults, "| "+r.fault.Name+" | "+r.fault.Says+" |")
		environments = each.Added(environments, "| "+r.environment.Name+" | "+r.environment.Says+" |")
	}
	slices.Sort(faults)
	for _, part := range []struct {
		title string
		lines []string
	}{{"Projects", projects}, {"Faults", faults}, {"Environments", environments}} {
		fmt.Fprintf(w, "\n## %s\n\n| name | what it is |\n|---|---|\n%s\n", part.title, strings.Join(part.lines, "\n"))
	}
}
