package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/org/qa-action/internal/qa"
)

// Lesson is what a run learnt about tests of one function: what made one worth
// keeping, or why one was refused. Its text has names and words of the repository:
// hostile.
type Lesson struct {
	Path string `json:"path"` // file of the function
	Text string `json:"text"`
	Date string `json:"date"` // RFC 3339
}

const (
	lessonFor  = 180 * 24 * time.Hour
	maxLessons = 40 // of a branch, and of all
)

// LessonsOf are those of the generated tests of a run.
func LessonsOf(tests []qa.GeneratedTest, now time.Time) []Lesson {
	var out []Lesson
	for _, g := range tests {
		if text := g.Lesson(); text != "" {
			out = append(out, Lesson{Path: g.Source, Text: text, Date: day(now)})
		}
	}
	return out
}

// lessons puts the lessons of a run behind those that are there, newest last. One that
// is learnt again is dated anew, and what is older than half a year is forgotten.
func lessons(known, fresh []Lesson, now time.Time) []Lesson {
	var out []Lesson
	for i, l := range slices.Concat(known, fresh) {
		again := func(o Lesson) bool { return o.Path == l.Path && o.Text == l.Text }
		at, err := time.Parse(time.RFC3339, l.Date)
		if err != nil || now.Sub(at) > lessonFor || i < len(known) && slices.ContainsFunc(fresh, again) || slices.ContainsFunc(out, again) {
			continue
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(a, b Lesson) int { return cmp.Compare(a.Date, b.Date) })
	return newest(out, maxLessons)
}

// Learnt are the lessons for a run of a branch: its own and those of the default
// branch, newest last.
func (b Book) Learnt(own Ledger, now time.Time) []Lesson {
	return lessons(b.Lessons, own.Lessons, now)
}
