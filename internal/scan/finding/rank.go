package finding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// cut ranks the findings of res and takes out those below the severity that
// was asked for. How many are shown is the reporters' business: what is not
// shown still counts.
func cut(least qa.Severity, res Result) Result {
	least = cmp.Or(least, qa.Low)
	rank(res.Findings)
	var keep []qa.Finding
	for _, f := range res.Findings {
		if !f.Severity.AtLeast(least) {
			res.Folded[BelowSeverity+string(least)]++
			res.Cut = append(res.Cut, f)
			continue
		}
		keep = append(keep, f)
	}
	res.Findings = keep
	for i := range res.Findings {
		res.Findings[i].ID = fmt.Sprintf("SCOUT-ISSUE-%d", i+1)
	}
	return res
}

// Join unites the results of parts that were scanned at different times
// (coverage gaps when coverage is known, a model's findings) and ranks and
// cuts the whole again, at low severity when least is empty. The same finding from two parts is one.
func Join(least qa.Severity, parts ...Result) Result {
	out := Result{Folded: map[string]int{}, Skipped: map[string]string{}}
	at := map[string]int{}
	for _, part := range parts {
		for _, f := range slices.Concat(part.Findings, part.Cut) {
			i, seen := at[f.Fingerprint]
			if !seen {
				at[f.Fingerprint] = len(out.Findings)
				out.Findings = append(out.Findings, f)
				continue
			}
			e := entry{f: out.Findings[i]}
			e.absorb(entry{f: f})
			out.Findings[i] = e.f
		}
		for reason, n := range part.Folded {
			if !strings.HasPrefix(reason, BelowSeverity) {
				out.Folded[reason] += n
			}
		}
		maps.Copy(out.Skipped, part.Skipped)
		out.Engines = append(out.Engines, part.Engines...)
		out.Warnings = each.Added(out.Warnings, part.Warnings...)
	}
	return cut(least, out)
}

// Summary says in one line what was found: "3 new findings (1 high, 2 low), 9
// known or dismissed".
func (r Result) Summary() string {
	count := map[qa.Severity]int{}
	fresh := 0
	for _, f := range r.Findings {
		if f.Status == qa.StatusNew {
			fresh++
			count[f.Severity]++
		}
	}
	var parts []string
	for _, s := range qa.Severities() {
		if count[s] > 0 {
			parts = append(parts, wording.Number(count[s])+" "+string(s))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none"}
	}
	text := fmt.Sprintf("%s (%s)", wording.Count(fresh, "new finding"), strings.Join(parts, ", "))
	if n := len(r.Findings) - fresh; n > 0 {
		text += ", " + wording.Number(n) + " known or dismissed"
	}
	return text
}

// rank orders findings: what counts first, then the worst, then those that
// repeat a known defect pattern, then by place.
func rank(findings []qa.Finding) {
	order := []qa.FindingStatus{qa.StatusNew, qa.StatusReopened, qa.StatusPersisting, qa.StatusDismissed, qa.StatusKnown, qa.StatusFixed}
	slices.SortStableFunc(findings, func(a, b qa.Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, a.Status), slices.Index(order, b.Status)),
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			cmp.Compare(weight(b.Evidence), weight(a.Evidence)),
			cmp.Compare(unknown(a), unknown(b)),
			cmp.Compare(first(a), first(b)),
			strings.Compare(a.Path, b.Path),
			cmp.Compare(a.Lines.Start, b.Lines.Start),
			strings.Compare(a.Rule.ID, b.Rule.ID),
			strings.Compare(a.Fingerprint, b.Fingerprint),
		)
	})
}

func unknown(f qa.Finding) int {
	if f.KnownPattern != "" {
		return 0
	}
	return 1
}

// first is the place of the finding's leading perspective; security leads.
func first(f qa.Finding) int {
	best := len(qa.Perspectives())
	for _, p := range f.Perspectives {
		if p == qa.Security {
			return -1
		}
		best = min(best, slices.Index(qa.Perspectives(), p))
	}
	return best
}
