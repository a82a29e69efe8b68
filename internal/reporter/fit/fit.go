// Package fit joins the parts of a document so that they keep within a size
// limit, and that every cut says what it cost.
package fit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
)

// Section is one part of a document, able to be shown in full, shortened, or
// left out by name.
type Section struct {
	// Title names the section where it had to be left out.
	Title string
	// Open and close stand around the items.
	Open, Close string
	Items       []Item // most important first
	// Total counts the entries where items holds only those that can fit.
	Total int
	// Noun counts the items in "3 of 40 findings shown".
	Noun string
	// Rank says who gets room first; equal ranks share it in page order.
	Rank int
	// Share is the most of the budget (0..1) the section takes while others
	// still wait; 0 is no limit.
	Share float64
	// Must is set for what no limit may cost: the section is never left out and
	// every item is shown at least by its short form. Its short forms in tight
	// are used when even those do not fit.
	Must  bool
	Tight func(limit int) string
}

// Item is one entry of a section. Short is what must sections show for it when
// the full text does not fit; others drop it.
type Item struct{ Full, Short string }

// rendered is the section with its first k items in full.
func (s Section) rendered(k int) string {
	var b strings.Builder
	b.WriteString(s.Open)
	for i, it := range s.Items {
		switch {
		case i < k:
			b.WriteString(it.Full)
		case s.Must:
			b.WriteString(it.Short)
		}
	}
	if k < s.count() && !s.Must {
		b.WriteString(s.cutNote(k))
	}
	b.WriteString(s.Close)
	if k < s.count() && s.Must { // the close may end a fold, and the note is for all
		b.WriteString(s.cutNote(k) + "\n")
	}
	return b.String()
}

func (s Section) count() int { return max(s.Total, len(s.Items)) }

// cutNote says how much of the section is shown.
func (s Section) cutNote(k int) string {
	if s.Must {
		return fmt.Sprintf("\nDetails of %d of %d %s shown.\n", k, s.count(), s.Noun)
	}
	return fmt.Sprintf("\n%d of %d %s shown; all of them are in the full report.\n", k, s.count(), s.Noun)
}

// Sections joins sections in page order into at most budget bytes (0: no limit).
//
// Must sections come first with every item in short form; then each
// section, by rank, gets as many full items as its share allows, then whatever
// is left. What got nothing is named in the last line. A section without items
// is shown whole or left out whole.
func Sections(sections []Section, budget int) string {
	if budget <= 0 {
		return joined(sections, func(s Section) string { return s.rendered(len(s.Items)) })
	}
	shown := make([]string, len(sections))
	used := 0
	for i, s := range sections {
		if s.Must {
			shown[i] = s.rendered(0)
			used += len(shown[i])
		}
	}
	reserve := leftOutSize(sections)
	if used+reserve > budget {
		return squeezed(sections, budget)
	}
	order := make([]int, len(sections))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sections[a].Rank - sections[b].Rank })
	for _, whole := range []bool{false, true} {
		for _, i := range order {
			room := budget - reserve - used + len(shown[i])
			if s := sections[i]; !whole && s.Share > 0 {
				room = min(room, max(int(s.Share*float64(budget)), len(shown[i])))
			}
			if text, ok := sections[i].within(room); ok {
				used += len(text) - len(shown[i])
				shown[i] = text
			}
		}
	}
	var b strings.Builder
	var left []string
	for i, s := range sections {
		b.WriteString(shown[i])
		if shown[i] == "" && (s.Open != "" || len(s.Items) > 0) {
			left = append(left, s.Title)
		}
	}
	b.WriteString(leftOut(left, len(sections)))
	return b.String()
}

// within is the longest form of the section that fits room bytes.
func (s Section) within(room int) (string, bool) {
	size := func(k int) int { return len(s.rendered(k)) }
	n := len(s.Items)
	if size(n) <= room {
		return s.rendered(n), true
	}
	// Sizes grow with k except for the note's digits and its end at n, so the
	// search is followed by a step down where the guess was too long.
	sums := make([]int, n+1)
	for i, it := range s.Items {
		sums[i+1] = sums[i] + len(it.Full)
		if s.Must {
			sums[i+1] -= len(it.Short)
		}
	}
	base := size(0) + len(s.cutNote(n)) - len(s.cutNote(0))
	k, _ := slices.BinarySearch(sums, room-base+1)
	for k--; k >= 0; k-- {
		if k == 0 && !s.Must {
			return "", false
		}
		if size(k) <= room {
			return s.rendered(k), true
		}
	}
	return "", false
}

func joined(sections []Section, text func(Section) string) string {
	var b strings.Builder
	for _, s := range sections {
		b.WriteString(text(s))
	}
	return b.String()
}

func leftOut(titles []string, of int) string {
	if len(titles) == 0 {
		return ""
	}
	return fmt.Sprintf("\nLeft out for length (%d of %d parts shown): %s. All of it is in the full report.\n",
		of-len(titles), of, strings.Join(titles, ", "))
}

// leftOutSize is the room the last line needs at worst.
func leftOutSize(sections []Section) int {
	titles := each.Of(sections, func(s Section) string { return s.Title })
	return len(leftOut(titles, len(sections))) + 8
}

// squeezed shows only what must be shown, each part in the room it is given:
// what the parts before it left, minus an equal share for those after it.
func squeezed(sections []Section, budget int) string {
	must := each.Where(sections, func(s Section) bool { return s.Must })
	note := fmt.Sprintf("\nCut to the limit of %d bytes (%d of %d parts shown); all of it is in the full report.\n", budget, len(must), len(sections))
	room := budget - len(note)
	var b strings.Builder
	for i, s := range must {
		limit := room / (len(must) - i)
		if i == len(must)-1 {
			limit = room
		}
		text := s.rendered(0)
		if len(text) > limit && s.Tight != nil {
			text = s.Tight(limit)
		}
		room -= len(text)
		b.WriteString(text)
	}
	return b.String() + note
}

// Packed joins as many words as fit limit bytes and says "k of n".
func Packed(head string, words []string, sep, tail string, limit int) string {
	note := func(k int) string { return fmt.Sprintf(" … (%d of %d names)", k, len(words)) }
	room := limit - len(head) - len(tail) - len(note(len(words)))
	text, k := "", 0
	for k < len(words) {
		next := words[k]
		if k > 0 {
			next = sep + next
		}
		if len(text)+len(next) > room {
			break
		}
		text += next
		k++
	}
	return head + text + note(k) + tail
}
