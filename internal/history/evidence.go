package history

import (
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// Evidence is a generated test that proved a regression of a branch which nobody had
// mended when its last run ended. It is source text that somebody may have put there:
// it is worth what running it again shows.
type Evidence struct {
	Name    string   `json:"name"`
	Path    string   `json:"path"` // of its test file
	Package string   `json:"package,omitempty"`
	Imports []string `json:"imports,omitempty"`
	In      string   `json:"in,omitempty"` // the block or class that holds it
	Code    string   `json:"code"`
	Layer   qa.Layer `json:"layer"`
	// Suite and Framework are what ran it: no other may.
	Suite     string `json:"suite"`
	Framework string `json:"framework"`
	Source    string `json:"source"` // file of what it tests
	Symbol    string `json:"symbol"` // and its name
	Commit    string `json:"commit"` // on which it failed
	// Finding is the fingerprint of what it proved, an entry of the ledger.
	Finding string `json:"finding"`
	// Races says that it failed where the race detector watched.
	Races bool `json:"races,omitempty"`
}

// The bounds of what is remembered of one branch: it has to fit beside a ledger where
// there is room for a few kilobytes only.
const (
	maxEvidence = 12
	maxCode     = 6 << 10  // bytes of one test
	maxText     = 24 << 10 // of all of them
	maxName     = 300
)

var commitID = pattern.New(`^[0-9a-f]{40,64}$`)

// possible reports whether this can be what a run left: a test file of the checkout, a
// layer that has generated tests, a commit by its whole name, within the bounds.
func (e Evidence) possible() bool {
	short := func(all ...string) bool {
		return !slices.ContainsFunc(all, func(s string) bool { return len(s) > maxName })
	}
	return e.Name != "" && e.Code != "" && e.Suite != "" && e.Framework != "" && e.Finding != "" &&
		short(e.Name, e.Path, e.Package, e.In, e.Suite, e.Framework, e.Source, e.Symbol, e.Finding) && short(e.Imports...) &&
		len(e.Imports) <= maxEvidence && len(e.Code) <= maxCode && filepath.IsLocal(e.Path) && filepath.IsLocal(e.Source) &&
		(e.Layer == qa.L1 || e.Layer == qa.L2) && commitID.MatchString(e.Commit)
}

// Usable are the tests of a ledger that can be tried again, and how many are left out
// because no run of ours left them so.
func (l Ledger) Usable() (usable []Evidence, left int) {
	usable = boundedEvidence(l.Evidence)
	return usable, len(l.Evidence) - len(usable)
}

// boundedEvidence keeps the first that fit.
func boundedEvidence(all []Evidence) []Evidence {
	size := 0
	fit := each.Where(all[:min(len(all), maxEvidence)], func(e Evidence) bool {
		if !e.possible() || size+len(e.Code) > maxText {
			return false
		}
		size += len(e.Code)
		return true
	})
	return fit
}

// Entry is the finding of a fingerprint.
func (l Ledger) Entry(fingerprint string) (Entry, bool) {
	return each.First(l.Entries, func(e Entry) bool { return e.Fingerprint == fingerprint })
}
