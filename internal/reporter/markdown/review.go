package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/sink"
)

// longest is how many lines a comment stands at as a whole; of more it stands at the
// first.
const longest = 10

// Review gives the findings that count as comments at the lines where they stand, best
// first, with the fix as a suggestion where it is mechanical.
func Review(r *qa.Report, o sink.Options) []qa.ReviewComment {
	p := page{r: r, o: o, folds: true}
	var out []qa.ReviewComment
	for _, f := range extract.Counting(r.Findings) {
		if f.Lines.Start < 1 || f.Fingerprint == "" || f.Quote == "" || !escape.SafePath(f.Path) {
			continue
		}
		c := qa.ReviewComment{About: f.Fingerprint, Path: f.Path, Body: p.entry(f, "") + fmt.Sprintf("<br><sub>%s shows all of it, %s sets it aside.</sub>\n",
			escape.Code("/qa explain "+extract.Mark(f), 80), escape.Code("/qa dismiss "+extract.Mark(f)+" reason", 80))}
		if fix := f.Fix; fix != nil {
			if block, ok := escape.Suggestion(fix.New); ok {
				c.Spots = append(c.Spots, qa.Spot{Lines: fix.Lines, Seen: fix.Old, Exact: true, Suggestion: block})
			}
		}
		seen := strings.Split(f.Quote, "\n")
		if f.Lines.Len() <= longest {
			c.Spots = append(c.Spots, qa.Spot{Lines: f.Lines, Seen: seen})
		}
		c.Spots = append(c.Spots, qa.Spot{Lines: qa.Range{Start: f.Lines.Start, End: f.Lines.Start}, Seen: seen[:1]})
		out = append(out, c)
	}
	return out
}
