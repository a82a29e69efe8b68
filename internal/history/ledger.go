package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// Ledger is what is open on a branch or pull request after its last run.
type Ledger struct {
	Head    string   `json:"head"`             // commit of the run
	Before  string   `json:"before,omitempty"` // Head of the ledger it continues
	Date    string   `json:"date"`             // RFC 3339
	Entries []Entry  `json:"entries"`
	Failing []string `json:"failing"` // ids of tests that failed, sorted
	Lessons []Lesson `json:"lessons,omitempty"`
	// Evidence are the tests that prove what is open.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Entry is one finding over time.
type Entry struct {
	Fingerprint string           `json:"fingerprint"`
	Rule        string           `json:"rule"`
	Path        string           `json:"path"`
	Lines       qa.Range         `json:"lines"` // on Seen
	Quote       string           `json:"quote,omitempty"`
	Severity    qa.Severity      `json:"severity"`
	Message     string           `json:"message"`
	Engines     []string         `json:"engines"`
	Status      qa.FindingStatus `json:"status"` // new, known, persisting, reopened, dismissed or fixed
	First       string           `json:"first"`  // commit where it was reported first
	Seen        string           `json:"seen"`   // and last
	Since       string           `json:"since"`  // date of the last change of status, RFC 3339
	Dismissal   *qa.Dismissal    `json:"dismissal,omitempty"`
}

func (e Entry) key() string { return e.Fingerprint }

// Title is how an entry is named in a list of changes.
func (e Entry) Title() string { return e.Path + ": " + e.Message }

// Push is one run seen by the ledger.
type Push struct {
	Head     string
	Date     time.Time
	Findings []qa.Finding
	Failing  []string // ids of failing tests
	Lessons  []Lesson
	// Mended are the fingerprints of findings whose proofs pass now.
	Mended map[string]bool
	// Untested says that a suite did not run: what failed there may fail still.
	Untested bool
	// Changed reports whether the code of an entry is gone or was changed since
	// the ledger's head.
	Changed func(Entry) bool
	// Ran reports whether an engine looked at the whole change this time.
	Ran func(engine string) bool
}

// Advance enters a push: the next ledger, the findings with reopened ones
// marked, and what changed since the last push (nil at the first).
//
// A finding that is not reported any more counts as fixed only when its code is
// gone or was changed and an engine that had reported it looked again;
// otherwise it stays open, because silence alone proves nothing.
func (l Ledger) Advance(p Push) (Ledger, []qa.Finding, *qa.Delta) {
	next := Ledger{Head: p.Head, Before: l.Head, Date: day(p.Date), Failing: each.Sorted(p.Failing), Lessons: lessons(l.Lessons, p.Lessons, p.Date)}
	delta := qa.Delta{Since: l.Head}
	known := each.By(l.Entries, Entry.key)
	findings := slices.Clone(p.Findings)
	reported := map[string]bool{}
	for i := range findings {
		f := &findings[i]
		if reported[f.Fingerprint] {
			continue
		}
		reported[f.Fingerprint] = true
		old, had := known[f.Fingerprint]
		e := entryOf(*f, old, had, p)
		switch {
		case f.Status == qa.StatusDismissed:
			e.Status = qa.StatusDismissed
			if had && old.Status != qa.StatusDismissed && old.Status != qa.StatusFixed {
				delta.Dismissed = append(delta.Dismissed, e.Title())
			}
		case had && old.Status == qa.StatusFixed:
			e.Status, f.Status = qa.StatusReopened, qa.StatusReopened
			delta.Reopened = append(delta.Reopened, e.Title())
		case had:
			e.Status = open(old.Status, f.Status)
			if old.Status == qa.StatusReopened {
				f.Status = qa.StatusReopened
			}
			if f.Status != qa.StatusKnown && f.Status != qa.StatusIntended {
				delta.StillOpen++
			}
		case f.Status != qa.StatusKnown && f.Status != qa.StatusIntended:
			delta.New = append(delta.New, e.Title())
		}
		if had && e.Status == old.Status {
			e.Since = old.Since
		}
		next.Entries = append(next.Entries, e)
	}
	next.Entries = append(next.Entries, l.silent(p, reported, &delta)...)
	delta.NowFailing = without(next.Failing, l.Failing)
	if p.Untested {
		next.Failing = each.Sorted(next.Failing, l.Failing)
	}
	delta.NowPassing = without(l.Failing, next.Failing)
	if l.Head == "" {
		return next, findings, nil
	}
	return next, findings, &delta
}

// silent are the entries that a push does not report.
func (l Ledger) silent(p Push, reported map[string]bool, delta *qa.Delta) []Entry {
	var out []Entry
	for _, e := range l.Entries {
		if reported[e.Fingerprint] {
			continue
		}
		if e.Status != qa.StatusFixed && (p.Mended[e.Fingerprint] || p.closes(e)) {
			if e.Status != qa.StatusDismissed {
				delta.Fixed = append(delta.Fixed, e.Title())
			}
			e.Status, e.Since = qa.StatusFixed, day(p.Date)
		} else if e.Status != qa.StatusFixed && e.Status != qa.StatusKnown && e.Status != qa.StatusIntended && e.Status != qa.StatusDismissed {
			delta.StillOpen++
		}
		out = append(out, e)
	}
	return out
}

func entryOf(f qa.Finding, old Entry, had bool, p Push) Entry {
	e := Entry{
		Fingerprint: f.Fingerprint, Rule: f.Rule.ID, Path: f.Path, Lines: f.Lines, Quote: f.Quote, Severity: f.Severity,
		Message: f.Message, Engines: f.Engines, Status: f.Status, First: p.Head, Seen: p.Head, Since: day(p.Date), Dismissal: f.Dismissal,
	}
	if had {
		e.First = old.First
	}
	return e
}

// open is the status of an entry that is reported again: one that the change
// brought in persists until it is fixed.
func open(old, reported qa.FindingStatus) qa.FindingStatus {
	switch {
	case reported == qa.StatusKnown, reported == qa.StatusIntended:
		return reported
	case old == qa.StatusReopened:
		return qa.StatusReopened
	}
	return qa.StatusPersisting
}

// closes reports whether the silence about an entry means that it is fixed.
func (p Push) closes(e Entry) bool {
	return p.Changed != nil && p.Changed(e) && p.Ran != nil && slices.ContainsFunc(e.Engines, p.Ran)
}

// join is the ledger after two runs of one branch that did not know of each
// other: the later one says what is what, entries that only the other has are
// kept.
func (l Ledger) join(o Ledger) Ledger {
	if l.Date < o.Date || l.Date == o.Date && l.Head < o.Head {
		l, o = o, l
	}
	known := each.Set(each.Of(l.Entries, Entry.key))
	l.Entries = slices.Concat(l.Entries, each.Where(o.Entries, func(e Entry) bool { return !known[e.Fingerprint] }))
	return l
}

// bounded drops entries beyond the bound, longest fixed first; open ones go
// last and by severity.
func (l Ledger) bounded() Ledger {
	l.Evidence = boundedEvidence(l.Evidence)
	if len(l.Entries) <= maxEntries {
		return l
	}
	entries := slices.Clone(l.Entries)
	slices.SortStableFunc(entries, func(a, b Entry) int {
		switch aFixed, bFixed := a.Status == qa.StatusFixed, b.Status == qa.StatusFixed; {
		case aFixed && bFixed:
			return cmp.Compare(b.Since, a.Since)
		case aFixed:
			return 1
		case bFixed:
			return -1
		}
		return a.Severity.Rank() - b.Severity.Rank()
	})
	l.Entries = entries[:maxEntries]
	return l
}

// without lists what a has and b has not; both are sorted.
func without(a, b []string) []string {
	return each.Where(a, func(id string) bool {
		_, found := slices.BinarySearch(b, id)
		return !found
	})
}
