package scan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// cut ranks the findings of res and takes out what the request does not want
// to see; critical and high ones always stay.
func cut(req Request, res Result) Result {
	rank(res.Findings)
	counted := map[qa.FindingStatus]int{}
	var keep []qa.Finding
	for _, f := range res.Findings {
		reason := ""
		switch {
		case !f.Severity.AtLeast(req.MinSeverity):
			reason = "below min-severity " + string(req.MinSeverity)
		case f.Severity.AtLeast(qa.High) && f.Status == qa.StatusNew:
		case counted[f.Status] >= req.MaxFindings:
			reason = fmt.Sprintf("over max-findings %d", req.MaxFindings)
			if f.Status != qa.StatusNew {
				reason += " (" + string(f.Status) + ")"
			}
		}
		if reason != "" {
			res.Folded[reason]++
			res.Cut = append(res.Cut, f)
			continue
		}
		counted[f.Status]++
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
// cuts the whole again. The same finding from two parts is one.
func Join(req Request, parts ...Result) Result {
	req = req.withDefaults()
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
			if !strings.HasPrefix(reason, "below min-severity") && !strings.HasPrefix(reason, "over max-findings") {
				out.Folded[reason] += n
			}
		}
		maps.Copy(out.Skipped, part.Skipped)
		out.Engines = append(out.Engines, part.Engines...)
		for _, w := range part.Warnings {
			if !slices.Contains(out.Warnings, w) {
				out.Warnings = append(out.Warnings, w)
			}
		}
	}
	return cut(req, out)
}

// Summary says in one line what was found: "3 of 12 findings shown: …".
func (r Result) Summary() string {
	count := map[qa.Severity]int{}
	fresh, all := 0, len(r.Cut)
	for _, f := range r.Findings {
		all++
		if f.Status == qa.StatusNew {
			fresh++
			count[f.Severity]++
		}
	}
	var parts []string
	for _, s := range qa.Severities() {
		if count[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[s], s))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none"}
	}
	return fmt.Sprintf("%s (%s), %d of %d shown", plural(fresh, "new finding"), strings.Join(parts, ", "), len(r.Findings), all)
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
