package history

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestABookFits: a book of large suites is kept. What the oldest runs tell of single tests
// goes first, and the newest keep it as long as that fits.
func TestABookFits(t *testing.T) {
	fixture.WithoutRaceDetector(t) // thirty times as many names as a book has
	t.Parallel()
	b := New()
	for i := range maxBaselines {
		names := make([]string, 20_000)
		for n := range names {
			names[n] = fmt.Sprintf("%06d%s", n, strings.Repeat("x", 54))
		}
		s := Suite{Key: "k", Failed: []string{"f"}, Executed: &qa.Execution{Units: names}}
		b.Baselines = append(b.Baselines, Baseline{SHA: fmt.Sprint(i), Suites: map[string]Suite{".": s}})
	}
	for i := range maxNewest {
		b.Bases = append(b.Bases, Baseline{SHA: fmt.Sprint("base", i), Suites: map[string]Suite{".": {Key: "k", Passed: []string{"p"}, Executed: b.Baselines[0].Suites["."].Executed}}})
	}
	data, err := b.Encode()
	check(t, err)
	back, err := decode(data)
	check(t, err)
	for name, all := range map[string][]Baseline{"baselines": back.Baselines, "bases": back.Bases} {
		if s := all[len(all)-1].Suites["."]; s.Executed == nil || len(s.Executed.Units) != 20_000 {
			t.Errorf("%s: the newest has lost what its suites executed", name)
		}
		if s := all[0].Suites["."]; s.Executed != nil || s.Key != "k" {
			t.Errorf("%s: the oldest keeps names and loses what was executed: %v", name, s.Key)
		}
	}
	if b.Baselines[0].Suites["."].Executed == nil {
		t.Error("what is encoded is not what is kept")
	}
	again, err := back.Encode()
	check(t, err)
	if !bytes.Equal(data, again) {
		t.Error("a book that fits is written as it is")
	}
}

// TestABookThatCannotFit says so.
func TestABookThatCannotFit(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	b := New()
	b.Runs = []string{strings.Repeat("x", maxBytes)}
	if _, err := b.Encode(); err == nil || !strings.Contains(err.Error(), "larger than 32 MB") {
		t.Errorf("%v", err)
	}
}
