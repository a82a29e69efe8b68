// Package account says of every changed file what the run can show that it saw
// of it. Start at [Of]. It is pure: what was seen is given by the caller.
//
// The account informs and decides nothing: a file that no test opened costs
// nothing where the whole suite ran. Its use is that a reader, and the rules
// that look for parts of a suite that did not run, need not guess from a path
// or an extension whether a change was tested.
package account

import (
	"fmt"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Seen is what one run of a target's tests on head showed. Paths are relative
// to the repository root.
type Seen struct {
	Coverage *qa.Coverage // nil when it was not measured
	Cases    []qa.Case
	// Loaded are files that became part of a running program, Compiled those
	// that the build of the tests reads.
	Loaded, Compiled map[string]bool
	Reads            Reads
}

// Reads are the files that were opened while the tests ran.
type Reads struct {
	// Unknown says why nothing is known; then the other fields are empty.
	Unknown string
	Opened  map[string]bool
	// Followed are all files whose opening would have been noticed.
	Followed map[string]bool
	// Shared says that other programs, such as linters, ran in the same tree
	// meanwhile.
	Shared bool
}

// walks is the share of the followed files from which on opening them says more
// about a program that walks the tree than about a test that needs them, and
// fewFiles the number below which a share says nothing.
const (
	walks    = 0.9
	fewFiles = 20
)

// everything reports whether some program opened nearly all files.
func (r Reads) everything() bool {
	return len(r.Followed) >= fewFiles && float64(len(r.Opened)) >= walks*float64(len(r.Followed))
}

// Of accounts for every file of a change. whole says that the whole suite of
// every target ran from the changed code; unneeded, when it is not empty, on
// what evidence no test was run.
func Of(c qa.Change, seen []Seen, whole bool, unneeded string) []qa.FileAccount {
	out := make([]qa.FileAccount, 0, len(c.Files))
	coverage := index(seen)
	ran := casesByFile(seen)
	for _, f := range c.Files {
		a := qa.FileAccount{Path: f.Path, Class: qa.Unseen}
		switch {
		case unneeded != "":
			a.Class, a.Evidence = qa.Inert, unneeded
		case f.Status == qa.Deleted && whole:
			a.Class, a.Evidence = qa.Inert, "deleted; the whole suite ran without it"
		case f.Status == qa.Deleted:
			a.Evidence = "deleted, and the suite did not run whole"
		case f.Submodule:
			a.Evidence = "a submodule: its files are not followed"
		default:
			evidence{seen, coverage[f.Path], ran[f.Path], whole}.of(&a, f)
		}
		out = append(out, a)
	}
	return out
}

// evidence is what a run saw of one file.
type evidence struct {
	seen    []Seen
	covered []*qa.FileCoverage
	cases   int
	whole   bool
}

// of finds the strongest class that the evidence carries.
func (e evidence) of(a *qa.FileAccount, f qa.FileChange) {
	cases := e.cases
	hits, lines, any := changedHits(f, e.covered)
	switch {
	case cases > 0 && f.Kind != qa.KindSource:
		a.Class, a.Evidence = qa.RunAsTest, fmt.Sprintf("%s of it ran", wording.Count(cases, "test"))
		return
	case hits > 0:
		a.Class, a.Evidence = qa.Executed, fmt.Sprintf("%d of %s ran", hits, wording.Count(lines, "changed executable line"))
		return
	case any:
		a.Class, a.Evidence = qa.Loaded, "its code ran, none of the changed lines"
		return
	case cases > 0: // the tests of a source stand in it
		a.Class, a.Evidence = qa.Loaded, fmt.Sprintf("%s inside of it ran", wording.Count(cases, "test"))
		return
	}
	opened, followed, why := false, false, ""
	for _, s := range e.seen {
		switch {
		case s.Loaded[f.Path]:
			a.Class, a.Evidence = qa.Loaded, "the tests import it"
			return
		case s.Compiled[f.Path] && a.Class == qa.Unseen:
			a.Class, a.Evidence = qa.Compiled, "the build of the tests reads it"
		}
		if s.Reads.Unknown != "" {
			why = s.Reads.Unknown
			continue
		}
		followed = followed || s.Reads.Followed[f.Path]
		if s.Reads.Opened[f.Path] {
			opened = true
			a.Weak = s.Reads.everything() || s.Reads.Shared && f.Language != "" || len(e.covered) > 0
		}
	}
	switch {
	case a.Class == qa.Compiled:
		a.Weak = false
	case opened:
		a.Class, a.Evidence = qa.Read, "opened while the tests ran"
		if a.Weak {
			a.Evidence += ", as other programs than the tests may have done"
		}
	case why != "":
		a.Evidence = why
	case !followed:
		a.Evidence = "its opening cannot be seen"
	case !e.whole:
		a.Evidence = "not opened, and the suite did not run whole"
	default:
		a.Class, a.Evidence = qa.Inert, "no test opened it"
	}
}

// changedHits counts the changed lines that ran, of those that can; any says
// that some line of the file ran.
func changedHits(f qa.FileChange, covered []*qa.FileCoverage) (hits, lines int, any bool) {
	ran := map[int32]bool{}
	for _, c := range covered {
		for _, l := range c.Lines {
			any = any || l.Hits > 0
			if !touches(f, int(l.Line)) {
				continue
			}
			ran[l.Line] = ran[l.Line] || l.Hits > 0
		}
	}
	for _, did := range ran {
		lines++
		if did {
			hits++
		}
	}
	return hits, lines, any
}

func touches(f qa.FileChange, line int) bool {
	return f.Touches(qa.Range{Start: line, End: line})
}

func index(seen []Seen) map[string][]*qa.FileCoverage {
	out := map[string][]*qa.FileCoverage{}
	for _, s := range seen {
		if s.Coverage == nil {
			continue
		}
		for i := range s.Coverage.Files {
			f := &s.Coverage.Files[i]
			out[f.Path] = append(out[f.Path], f)
		}
	}
	return out
}

// casesByFile counts the tests that ran, by the file they stand in.
func casesByFile(seen []Seen) map[string]int {
	out := map[string]int{}
	for _, s := range seen {
		for _, c := range s.Cases {
			if c.File != "" && c.Status != qa.Skipped && c.Status != qa.NotRun {
				out[c.File]++
			}
		}
	}
	return out
}
