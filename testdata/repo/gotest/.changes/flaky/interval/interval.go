// Package interval works on half-open spans of whole minutes.
package interval

import (
	"errors"
	"sort"
)

// Span is the minutes from Start up to, but not including, End.
type Span struct {
	Start, End int
}

// ErrEmpty is returned for a span that ends before it begins.
var ErrEmpty = errors.New("span is empty")

// New makes a span that holds at least one minute.
func New(start, end int) (Span, error) {
	if end <= start {
		return Span{}, ErrEmpty
	}
	return Span{start, end}, nil
}

// Overlaps reports whether s and o share a minute.
func (s Span) Overlaps(o Span) bool {
	return s.Start < o.End && o.Start < s.End
}

// Merge joins spans that touch or overlap.
func Merge(spans []Span) []Span {
	sorted := append([]Span(nil), spans...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Start < sorted[j].Start })
	var out []Span
	for _, s := range sorted {
		if len(out) > 0 && s.Start <= out[len(out)-1].End {
			last := &out[len(out)-1]
			if s.End > last.End {
				last.End = s.End
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// Len is the number of minutes in s.
func (s Span) Len() int {
	return s.End - s.Start
}
