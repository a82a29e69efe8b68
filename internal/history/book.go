// Package history remembers what a series of runs taught about a repository:
// coverage and score over time, defect patterns, how tests behave, and which
// findings are open on each branch or pull request. Start at [Book]; [Add]
// records a run, [Dir] keeps the book in a directory.
//
// All knowledge is in one bounded JSON document with a version. Functions on it
// are pure: time, commits and what changed are given by the caller.
package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// Schema is the version of the document.
const Schema = 1

// The bounds of a book. What is oldest goes first.
const (
	maxBytes    = 32 << 20
	maxPoints   = 365
	maxRuns     = 500
	maxTests    = 20_000
	maxPatterns = 100
	maxLedgers  = 100
	maxEntries  = 2_000 // of one ledger
)

// Book is all that is remembered of a repository.
type Book struct {
	Schema int `json:"schema"`
	// Runs are the ids of the last runs recorded, so that none counts twice.
	Runs []string `json:"runs"`
	// History is one point per commit of the default branch, oldest first.
	History  []qa.TrendPoint         `json:"coverage_history"`
	Patterns map[string]PatternTrace `json:"defect_patterns"`
	Tests    map[string]TestTrace    `json:"tests"`   // by qa.Case.ID
	Ledgers  map[string]Ledger       `json:"ledgers"` // by branch, or "pr/<number>"
	// Lessons are those of the default branch, oldest first.
	Lessons []Lesson `json:"lessons,omitempty"`
	// Baselines are the newest digests of the default branch, oldest first.
	Baselines []Baseline `json:"baselines"`
	// Bases are what runs of changes measured on their base, oldest first.
	Bases []Baseline `json:"bases,omitempty"`
}

// New is an empty book.
func New() Book {
	return Book{
		Schema: Schema, Runs: []string{}, History: []qa.TrendPoint{},
		Patterns: map[string]PatternTrace{}, Tests: map[string]TestTrace{}, Ledgers: map[string]Ledger{},
		Baselines: []Baseline{},
	}
}

// Run is one finished run as it is recorded.
type Run struct {
	// ID names the run: one recorded twice counts once. A run without one leaves what
	// it knows of its base and nothing else.
	ID   string
	SHA  string // head commit
	Ref  string // branch, or "pr/<number>"
	Date time.Time
	// Default marks the default branch. Only its runs change what is known of
	// tests, patterns and the trend; others have their own ledger and read the
	// rest.
	Default  bool
	Point    qa.TrendPoint
	Patterns []qa.Pattern
	Cases    []qa.Case
	// Baseline is nil for a run that must not be compared with.
	Baseline *Baseline
	// Base is what it knows of the commit that it was compared with, measured now or
	// remembered; nil when that is not whole.
	Base *Baseline
	// Ledger is the state after the run, made by [Ledger.Advance].
	Ledger Ledger
}

// Record enters a run. Recording the same run again changes nothing.
func (b *Book) Record(r Run) {
	if r.Base != nil {
		b.Bases = newest(r.Base.among(b.Bases), maxNewest)
	}
	if r.ID == "" || slices.Contains(b.Runs, r.ID) {
		return
	}
	b.Runs = newest(append(b.Runs, r.ID), maxRuns)
	if r.Ref != "" {
		l := r.Ledger
		if stored, ok := b.Ledgers[r.Ref]; ok && stored.Head != l.Before {
			l = l.join(stored) // another run of the branch saved meanwhile
		}
		b.Ledgers[r.Ref] = l.bounded()
	}
	if r.Default {
		others := slices.DeleteFunc(b.History, func(p qa.TrendPoint) bool { return p.SHA != "" && p.SHA == r.Point.SHA })
		b.History = newest(append(others, r.Point), maxPoints)
		b.recordPatterns(r)
		b.recordTests(r)
		b.Lessons = lessons(b.Lessons, r.Ledger.Lessons, r.Date)
		if r.Baseline != nil {
			b.Baselines = newest(r.Baseline.among(b.Baselines), maxBaselines)
			*b = b.but(maxNewest, Baseline.older)
		}
	}
	b.compact()
}

// among puts a digest behind those of other commits and scopes.
func (b *Baseline) among(others []Baseline) []Baseline {
	return append(slices.DeleteFunc(others, func(o Baseline) bool { return o.SHA == b.SHA && o.Scope == b.Scope }), *b)
}

// newest keeps the last n.
func newest[T any](items []T, n int) []T {
	return items[max(0, len(items)-n):]
}

// compact drops what is beyond the bounds, oldest first.
func (b *Book) compact() {
	keepNewest(b.Ledgers, maxLedgers, func(l Ledger) string { return l.Date })
	keepNewest(b.Tests, maxTests, func(t TestTrace) string { return t.Last })
	keepNewest(b.Patterns, maxPatterns, func(p PatternTrace) string { return p.Last })
}

// keepNewest keeps the n entries with the greatest date; equal dates go by key,
// so that two writers drop the same.
func keepNewest[T any](m map[string]T, n int, date func(T) string) {
	if len(m) <= n {
		return
	}
	keys := slices.SortedFunc(maps.Keys(m), func(a, c string) int {
		return cmp.Or(cmp.Compare(date(m[c]), date(m[a])), cmp.Compare(a, c))
	})
	for _, key := range keys[n:] {
		delete(m, key)
	}
}

// UnreadableError says that a book exists and cannot be understood. It is never
// overwritten.
type UnreadableError struct{ Cause error }

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("the history cannot be read and was left as it is: %v; move it away to begin a new one", e.Cause)
}

func (e *UnreadableError) Unwrap() error { return e.Cause }

// bounds are what a book or a digest may consist of: of each value a decoder may
// make a whole test.
var bounds = jsonscan.Bounds{Values: 4_000_000, Depth: 64}

// decode reads a book; no data is a new one. Errors are [UnreadableError].
func decode(data []byte) (Book, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return New(), nil
	}
	if len(data) > maxBytes {
		return Book{}, &UnreadableError{fmt.Errorf("larger than %d MB", maxBytes>>20)}
	}
	if _, err := bounds.ReadAll(bytes.NewReader(data), maxBytes); err != nil {
		return Book{}, &UnreadableError{err}
	}
	b := New()
	if err := json.Unmarshal(data, &b); err != nil {
		return Book{}, &UnreadableError{err}
	}
	if b.Schema != Schema {
		return Book{}, &UnreadableError{fmt.Errorf("schema %d, this version knows %d", b.Schema, Schema)}
	}
	// "null" for a map leaves nil behind.
	there(&b.Patterns)
	there(&b.Tests)
	there(&b.Ledgers)
	return b, nil
}

func there[T any](m *map[string]T) {
	if *m == nil {
		*m = map[string]T{}
	}
}

// Encode writes a book; equal books give equal bytes. Of one that is too large the oldest
// digests lose what single tests executed, and then the names of their tests.
func (b Book) Encode() ([]byte, error) {
	for _, less := range leaner {
		data, err := json.MarshalIndent(less(b), "", " ")
		if err != nil {
			return nil, fmt.Errorf("encode history: %w", err)
		}
		if len(data) <= maxBytes {
			return append(data, '\n'), nil
		}
	}
	return nil, fmt.Errorf("encode history: larger than %d MB", maxBytes>>20)
}

// leaner are a book as it is, and with ever less of its older digests.
var leaner = []func(Book) Book{
	func(b Book) Book { return b },
	func(b Book) Book { return b.but(3, executedLess) },
	func(b Book) Book { return b.but(1, executedLess) },
	func(b Book) Book { return b.but(0, executedLess) },
	func(b Book) Book { return b.but(0, executedLess).but(1, nameless) },
}

func executedLess(b Baseline) Baseline { return b.withExecuted(unexecuted) }

func nameless(b Baseline) Baseline { return b.atMost(-1) }

// but is a book with less of all digests but the newest of each kind.
func (b Book) but(newest int, less func(Baseline) Baseline) Book {
	for _, list := range []*[]Baseline{&b.Baselines, &b.Bases} {
		*list = slices.Clone(*list)
		for i := range max(0, len(*list)-newest) {
			(*list)[i] = less((*list)[i])
		}
	}
	return b
}

func day(t time.Time) string { return t.UTC().Format(time.RFC3339) }
