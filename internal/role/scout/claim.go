package scout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// ballot is a claim with its place.
type ballot struct {
	claim
	lines qa.Range
}

// severity is that of a claim, medium where it names none.
func (c claim) severity() qa.Severity {
	if s := qa.Severity(c.Severity); s.Rank() < len(qa.Severities()) {
		return s
	}
	return qa.Medium
}

// placed are the claims of an answer with their places, each defect once. One whose
// quote is not in its file is dropped, and so is one that names no input.
func placed(claims []claim, group []shownFile) (kept []ballot, dropped []string) {
	for _, c := range claims {
		// Any piece of a large file may hold it: all have the whole text.
		i := slices.IndexFunc(group, func(f shownFile) bool { return f.Path == c.Path })
		if i < 0 {
			dropped = append(dropped, fmt.Sprintf("%s: not a file that was shown", c.Path))
			continue
		}
		lines, ok := place(group[i], c.Quote)
		if !ok {
			dropped = append(dropped, fmt.Sprintf("%s: %s: the quote is not in the file", c.Path, c.Title))
			continue
		}
		if strings.TrimSpace(c.Trigger) == "" {
			dropped = append(dropped, fmt.Sprintf("%s:%d: %s: no input shows it", c.Path, lines.Start, c.Title))
			continue
		}
		at := slices.IndexFunc(kept, func(b ballot) bool { return b.means(c, lines) })
		if at < 0 {
			kept = append(kept, ballot{claim: c, lines: lines})
		} else if c.severity().Rank() < kept[at].severity().Rank() {
			kept[at].Severity = c.Severity
		}
	}
	return kept, dropped
}

// means reports whether a claim is about the same defect. Of one place several things
// may be wrong, and an answer that says two of them means two, unless cause and input
// are the same.
func (b ballot) means(c claim, lines qa.Range) bool {
	return b.Path == c.Path && (b.lines.Overlaps(lines) || b.lines == lines) && b.sameCause(c) && wording.Alike(b.Trigger, c.Trigger)
}

// sameCause reports that two claims name one kind of problem, or explain it alike.
func (c claim) sameCause(o claim) bool {
	for _, id := range cwes(c.CWE) {
		if slices.Contains(cwes(o.CWE), id) {
			return true
		}
	}
	return wording.Alike(c.Title, o.Title) || wording.Alike(c.Explanation, o.Explanation)
}
