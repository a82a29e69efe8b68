package history

import (
	"fmt"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestLessons: a branch remembers what its runs learnt about tests, dated and bounded;
// what the default branch learnt, all others are told.
func TestLessons(t *testing.T) {
	t.Parallel()
	learn := func(l Ledger, at time.Time, tests ...qa.GeneratedTest) Ledger {
		next, _, _ := l.Advance(Push{Head: "h", Date: at, Lessons: LessonsOf(tests, at)})
		return next
	}
	kept := qa.GeneratedTest{Lane: "hardening", Target: "A", Source: "a.go", Kept: true, Kills: 1}
	refused := qa.GeneratedTest{Lane: "hardening", Target: "B", Source: "b.go", Gate: "G1", Reason: "undefined: helper\nat line 3"}
	silent := qa.GeneratedTest{Lane: "hardening", Target: "C", Source: "c.go"}

	l := learn(Ledger{}, noon, kept, refused, silent)
	assert.Equal(t, len(l.Lessons), 2)
	assert.Equal(t, l.Lessons[1].Text, "hardening test of B in b.go was refused at G1: undefined: helper")

	l = learn(l, noon.Add(lessonFor-time.Hour), kept)
	assert.Equal(t, len(l.Lessons), 2, "learnt again is one lesson")
	assert.Equal(t, l.Lessons[1].Path, "a.go", "and the newest")
	l = learn(l, noon.Add(lessonFor+time.Hour))
	assert.Equal(t, len(l.Lessons), 1, "what is older than half a year is forgotten")

	for i := range 2 * maxLessons {
		other := kept
		other.Target = fmt.Sprint("A", i)
		l = learn(l, noon.Add(lessonFor+time.Hour), other)
	}
	assert.Equal(t, len(l.Lessons), maxLessons)

	b := New()
	r := ran("1", "c1", noon)
	r.Ledger = learn(Ledger{}, noon, kept)
	b.Record(r)
	change := Run{ID: "2", SHA: "c2", Ref: "pr/1", Date: noon, Ledger: learn(Ledger{}, noon, refused)}
	b.Record(change)
	assert.Equal(t, len(b.Learnt(b.Ledgers["pr/1"], noon)), 2)
	assert.Equal(t, len(b.Learnt(b.Ledgers["pr/2"], noon)), 1, "what one change learnt is no other's")
}
