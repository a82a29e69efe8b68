package scout

import (
	"cmp"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// hits are claims as the scan takes them: suspected, until a test or a second reader
// has shown that they stand.
func hits(kept []ballot) []engine.Hit {
	return each.Of(kept, func(b ballot) engine.Hit {
		return engine.Hit{
			Engine: "model", Rule: "model/" + slug(b.Title), Path: b.Path, Lines: b.lines, Severity: b.severity(),
			Perspectives: []qa.Perspective{qa.Perspective(b.Perspective)}, Message: message(b.claim), Suggestion: b.Suggestion, CWE: cwes(b.CWE), Evidence: qa.Suspected,
		}
	})
}

// message is what a claim says, with the input that shows it.
func message(c claim) string {
	explanation, trigger := strings.TrimSpace(c.Explanation), strings.TrimSpace(c.Trigger)
	if explanation == "" || strings.Contains(explanation, trigger) {
		return cmp.Or(explanation, trigger)
	}
	return explanation + " Shown by: " + trigger
}

// slug makes a rule id of what a model called the problem.
func slug(title string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, title)
	s = strings.Trim(s, "-")
	if s == "" {
		return "finding"
	}
	return s[:min(len(s), 40)]
}

func cwes(claimed []string) []string {
	var out []string
	for _, c := range claimed {
		if n := strings.TrimPrefix(strings.ToUpper(c), "CWE-"); n != "" && strings.Trim(n, "0123456789") == "" {
			out = append(out, "CWE-"+n)
		}
	}
	return out
}
