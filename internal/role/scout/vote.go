package scout

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/qa"
)

// ballot is a claim with its place and how many passes made it.
type ballot struct {
	claim
	lines qa.Range
	votes int
}

// weighty reports whether a claim is worth asking about again: one of low severity
// stays suspected whatever else is said of it.
func weighty(b ballot) bool { return b.severity().AtLeast(qa.Medium) }

// severity is that of a claim, medium where it names none.
func (c claim) severity() qa.Severity {
	if s := qa.Severity(c.Severity); s.Rank() < len(qa.Severities()) {
		return s
	}
	return qa.Medium
}

// vote puts together what the passes say of one defect. A claim whose quote is not
// in its file is dropped, and so is one that names no input.
func vote(passes [][]claim, group []shownFile) (kept []ballot, dropped []string) {
	for _, claims := range passes {
		voted := map[int]bool{} // a pass has one vote per defect
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
			at := meant(kept, c, lines, voted)
			if at < 0 {
				at = len(kept)
				kept = append(kept, ballot{claim: c, lines: lines})
			}
			if !voted[at] {
				voted[at] = true
				kept[at].votes++
			}
			if c.severity().Rank() < kept[at].severity().Rank() {
				kept[at].Severity = c.Severity
			}
		}
	}
	return kept, dropped
}

// meant is the defect that a claim is about, -1 is one that nobody claimed yet. Of
// one place several things may be wrong: a pass that says two of them means two, so
// that what it said already has to have the same cause and the same input; what
// another pass said is told in other words, and has to have one of both in common.
func meant(kept []ballot, c claim, lines qa.Range, voted map[int]bool) int {
	best, most := -1, 0.0
	for i, b := range kept {
		if b.Path != c.Path || !b.lines.Overlaps(lines) && b.lines != lines {
			continue
		}
		cause, input := b.sameCause(c), alike(b.Trigger, c.Trigger)
		switch same := input >= sameWords; {
		case voted[i] && !(cause && same), !cause && !same:
			continue
		}
		if likeness := alike(b.said(), c.said()); best < 0 || likeness > most {
			best, most = i, likeness
		}
	}
	return best
}

// sameWords is the part of their words that two texts about one thing share.
const sameWords = 0.3

func (c claim) said() string { return c.Title + " " + c.Trigger + " " + c.Explanation }

// sameCause reports that two claims name one kind of problem, or explain it alike.
func (c claim) sameCause(o claim) bool {
	for _, id := range cwes(c.CWE) {
		if slices.Contains(cwes(o.CWE), id) {
			return true
		}
	}
	return alike(c.Title, o.Title) >= sameWords || alike(c.Explanation, o.Explanation) >= sameWords
}

// alike is the part of the words of two texts that both have.
func alike(a, b string) float64 {
	one, other := words(a), words(b)
	both := 0
	for w := range one {
		if other[w] {
			both++
		}
	}
	maps.Copy(one, other)
	if len(one) == 0 {
		return 1
	}
	return float64(both) / float64(len(one))
}

func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' }) {
		out[strings.Trim(w, "-")] = true
	}
	delete(out, "")
	return out
}
