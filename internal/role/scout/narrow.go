package scout

import (
	"context"
	"errors"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

// leastPiece is the piece of a file, in tokens, that is not divided again: where it
// does not fit, it is the instructions that have no room.
const leastPiece = 400

// narrower asks about less of a group that a model's window does not hold: half of its
// files, one file without what stands around it, half of its lines. Nothing is left
// where that would not help.
func narrower(group []shownFile) [][]shownFile {
	if len(group) > 1 {
		at := middle(group, func(f shownFile) int { return llm.Tokens(marked(f)) })
		return [][]shownFile{group[:at], group[at:]}
	}
	f := group[0]
	if f.Context != "" {
		f.Context = ""
		return [][]shownFile{{f}}
	}
	if f.Deleted || llm.Tokens(marked(f)) < 2*leastPiece {
		return nil
	}
	from, to := max(1, f.Only.Start), f.Only.End
	rows := f.rows()
	if to == 0 {
		to = len(rows)
	}
	at := from - 1 + middle(rows[from-1:to], func(row string) int { return len(row) })
	first, second := f, f
	first.Only, second.Only = qa.Range{Start: from, End: at}, qa.Range{Start: at + 1, End: to}
	if first.empty(rows) || second.empty(rows) { // one line is all that is shown
		return nil
	}
	return [][]shownFile{{first}, {second}}
}

// narrow asks about the parts of a group that did not fit, one after the other; why is
// the error of the whole.
func (m model) narrow(ctx context.Context, in input, group []shownFile, why error) (Result, error) {
	parts := narrower(group)
	if len(parts) == 0 {
		return Result{TooLong: each.Of(group, func(f shownFile) string { return f.Path })}, why
	}
	results, errs := make([]Result, len(parts)), make([]error, len(parts))
	for i, part := range parts {
		results[i], errs[i] = m.group(ctx, in, part)
	}
	return joined(results), errors.Join(errs...)
}

// joined are results of several groups as one.
func joined(parts []Result) (res Result) {
	for _, p := range parts {
		res.Hits, res.Dropped = append(res.Hits, p.Hits...), append(res.Dropped, p.Dropped...)
		res.Unanswered, res.TooLong = append(res.Unanswered, p.Unanswered...), each.Added(res.TooLong, p.TooLong...)
		res.Risks = append(res.Risks, p.Risks...)
	}
	return res
}

// empty reports whether nothing of a piece is worth its tokens.
func (f shownFile) empty(rows []string) bool {
	for i, row := range rows {
		if row != "" && f.holds(i+1) {
			return false
		}
	}
	return true
}

// middle is where a list is divided into halves of about the same size, neither of them
// empty.
func middle[T any](list []T, size func(T) int) int {
	whole := 0
	for _, item := range list {
		whole += size(item)
	}
	sum := 0
	for i, item := range list {
		sum += size(item)
		if 2*sum >= whole {
			return max(1, min(i+1, len(list)-1))
		}
	}
	return 1
}
