package trials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// once tells a defect that a change makes in several files as one finding with several
// proofs: a change that is too large for one request is asked about file by file, and each
// answer names it anew. Only what a test proved is folded, so that no claim goes down with
// another one that is refuted; a weakness with a number of its own is one at each of its
// places, and what the change announces is told apart from what it does not.
func once(findings []qa.Finding) []qa.Finding {
	out := findings[:0]
	for _, f := range findings {
		if first := again(out, f); first != nil {
			first.Message = fmt.Sprintf("%s. Likewise in %s, line %d.", strings.TrimRight(first.Message, " ."), f.Path, f.Lines.Start)
			first.Owners = each.Added(slices.Clone(first.Owners), f.Owners...)
			first.Also = append(append(first.Also, *f.Proof), f.Also...)
			if first.Severity.Rank() > f.Severity.Rank() {
				first.Severity = f.Severity
			}
			continue
		}
		out = append(out, f)
	}
	return out
}

// again is the finding of another file that tells the same, nil is none.
func again(findings []qa.Finding, f qa.Finding) *qa.Finding {
	for i := range findings {
		o := &findings[i]
		if foldable(*o) && foldable(f) && o.Path != f.Path && o.Rule.ID == f.Rule.ID &&
			(o.Proof.Announced == "") == (f.Proof.Announced == "") && wording.Alike(cause(*o), cause(f)) {
			return o
		}
	}
	return nil
}

func foldable(f qa.Finding) bool {
	return f.Opinion() && f.Status == qa.StatusNew && f.Evidence == qa.Proven && f.Proof != nil && f.Proof.Regression && len(f.CWE) == 0
}

// cause is what a claim says before it names the input that shows it.
func cause(f qa.Finding) string {
	said, _, _ := strings.Cut(f.Message, "Shown by: ")
	return said
}
