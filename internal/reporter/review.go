package reporter

import (
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/markdown"
	"github.com/org/qa-action/internal/wording"
)

// Bounds of a suggestion of tests, in lines and bytes; more is read better in the patch,
// and one comment that is too long would cost the whole review.
const (
	maxSuggested = 60
	maxBlock     = 16 << 10
)

// Review gives what a report has to say at lines of the diff: its findings, see
// [markdown.Review], and the kept tests that one suggestion can add to a file. fits says
// whether a patch, which was made on what was measured, fits the head commit too.
func Review(r *qa.Report, o Options, fits func(*gitdiff.File) bool) []qa.ReviewComment {
	out := markdown.Review(r, o)
	files, err := keptPatch(r)
	if d := r.Manifest.Delivery; err != nil || d != nil && d.Commit != "" {
		return out // or they are handed over already
	}
	for _, f := range files {
		if spot, ok := suggested(f); ok && fits(f) {
			out = append(out, qa.ReviewComment{About: "tests of " + f.NewName, Path: f.NewName, Body: testsBody(r, f.NewName), Spots: []qa.Spot{spot}})
		}
	}
	return out
}

// testsBody says which tests are offered, and why they are worth having.
func testsBody(r *qa.Report, path string) string {
	var b strings.Builder
	n := 0
	for _, t := range r.Generated {
		if !t.Kept || t.Path != path {
			continue
		}
		n++
		fmt.Fprintf(&b, "- %s", escape.Code(t.Name, extract.NameLimit))
		if why := extract.Earned(t); len(why) > 0 {
			b.WriteString(": " + escape.Prose(strings.Join(why, ", "), 300))
		}
		b.WriteString("\n")
	}
	return "**" + wording.Count(n, "generated test") + "** to add here:\n\n" + b.String()
}

// suggested is the patch of a file as a suggestion: one place of a file that is there,
// where lines are added and next to nothing changes.
func suggested(f *gitdiff.File) (qa.Spot, bool) {
	if f.IsNew || len(f.TextFragments) != 1 {
		return qa.Spot{}, false
	}
	hunk := f.TextFragments[0]
	first, last := -1, -1
	for i, l := range hunk.Lines {
		if l.Op != gitdiff.OpContext {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first > 0 && hunk.Lines[first].Op == gitdiff.OpAdd {
		first-- // added behind this line
	}
	if first < 0 || hunk.LinesAdded > maxSuggested {
		return qa.Spot{}, false
	}
	spot := qa.Spot{Exact: true}
	at := int(hunk.OldPosition)
	for _, l := range hunk.Lines[:first] {
		if l.Op != gitdiff.OpAdd {
			at++
		}
	}
	var now []string
	for _, l := range hunk.Lines[first : last+1] {
		text := strings.TrimRight(l.Line, "\n")
		if l.Op != gitdiff.OpAdd {
			spot.Seen = append(spot.Seen, text)
		}
		if l.Op != gitdiff.OpDelete {
			now = append(now, text)
		}
	}
	if len(spot.Seen) == 0 {
		return qa.Spot{}, false
	}
	spot.Lines = qa.Range{Start: at, End: at + len(spot.Seen) - 1}
	block, ok := escape.Suggestion(now)
	spot.Suggestion = block
	return spot, ok && len(block) <= maxBlock
}
