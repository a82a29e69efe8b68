package engine

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Fix is what a program offers to change, as edits of the file it looked at.
type Fix struct {
	Edits []Edit
	Unit  Unit
}

// Unit is what a column or an offset of an edit counts.
type Unit int

// The units: of Go's tools, of ruff, of JavaScript's programs.
const (
	Bytes Unit = iota
	Characters
	UTF16
)

// Edit puts Text in the place of what stands from From up to To.
type Edit struct {
	From, To Place
	Text     string
}

// Place is a line and a column, both from 1; where Line is 0, Column is an offset
// from 0 into the file.
type Place struct{ Line, Column int }

// Bounds of a fix that is shown: a larger one is no small remark at a line.
const (
	maxFixed = 20 // lines of the file
	maxFix   = 40 // lines in their place
	maxWidth = 400
)

// Fixed gives the whole lines that a fix changes, as they are and as they should be.
// ok is false where the fix does not fit the file, changes nothing, is large, or
// holds characters that cannot be shown as they are.
func (f *File) Fixed(fix *Fix) (fixed qa.Fix, ok bool) {
	if fix == nil || len(fix.Edits) == 0 || f.encoded && fix.Unit == Bytes {
		return qa.Fix{}, false
	}
	text, after, fits := string(f.Source), "", utf8.Valid(f.Source)
	done := 0
	for _, e := range f.spans(fix) {
		if e.from < done || e.to < e.from || e.to > len(text) {
			fits = false
			break
		}
		after += text[done:e.from] + e.text
		done = e.to
	}
	if !fits {
		return qa.Fix{}, false
	}
	return changedLines(text, after+text[done:])
}

// span is an edit in bytes of the file.
type span struct {
	from, to int
	text     string
}

// spans are the edits in the order of the file; what is in no place of it is at -1.
func (f *File) spans(fix *Fix) []span {
	var out []span
	for _, e := range fix.Edits {
		out = append(out, span{f.offset(e.From, fix.Unit), f.offset(e.To, fix.Unit), e.Text})
	}
	slices.SortStableFunc(out, func(a, b span) int { return a.from - b.from })
	return out
}

// offset is the byte that a place names, -1 where there is none.
func (f *File) offset(p Place, unit Unit) int {
	if p.Line == 0 {
		return within(string(f.Source), p.Column, unit)
	}
	// An edit of whole lines ends where the line behind the last one would begin.
	if p.Line == f.Lines()+1 && p.Column == 1 {
		return len(f.Source)
	}
	if p.Line < 1 || p.Line > f.Lines() {
		return -1
	}
	at := within(f.Line(p.Line), p.Column-1, unit)
	if at < 0 {
		return -1
	}
	return f.starts[p.Line-1] + at
}

// within is the byte of a text that lies behind count units of it.
func within(text string, count int, unit Unit) int {
	if count < 0 {
		return -1
	}
	if unit == Bytes {
		if count > len(text) {
			return -1
		}
		return count
	}
	for at, c := range text {
		if count <= 0 {
			if count < 0 { // within a pair
				return -1
			}
			return at
		}
		if count--; unit == UTF16 && utf16.RuneLen(c) == 2 {
			count--
		}
	}
	if count != 0 {
		return -1
	}
	return len(text)
}

// changedLines compares two texts line by line and leaves out what both begin and
// end with. Where lines are only added, the one before them stands on both sides,
// so that there is a place to say it of.
func changedLines(before, after string) (qa.Fix, bool) {
	old, now := splitLines(before), splitLines(after)
	first := 0
	for first < len(old) && first < len(now) && old[first] == now[first] {
		first++
	}
	last := 0
	for last < len(old)-first && last < len(now)-first && old[len(old)-1-last] == now[len(now)-1-last] {
		last++
	}
	if first == len(old) && first == len(now) {
		return qa.Fix{}, false
	}
	if first+last == len(old) {
		switch {
		case first > 0:
			first--
		case last > 0:
			last--
		default:
			return qa.Fix{}, false
		}
	}
	// What is left of a line may be its indentation.
	left := slices.DeleteFunc(slices.Clone(now[first:len(now)-last]), func(line string) bool { return line != "" && strings.TrimSpace(line) == "" })
	fixed := qa.Fix{Lines: qa.Range{Start: first + 1, End: len(old) - last}, Old: old[first : len(old)-last], New: left}
	return fixed, len(fixed.Old) <= maxFixed && len(fixed.New) <= maxFix &&
		!slices.ContainsFunc(slices.Concat(fixed.Old, fixed.New), func(line string) bool {
			return len(line) > maxWidth || wording.Plain(line) != line
		})
}

// splitLines gives the lines of a text without their ends; the last one of a text
// that ends in a line feed is the one before it.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
