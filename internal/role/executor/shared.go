package executor

import (
	"bytes"
	"path"
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/around"
)

// Shared are the files of a change that tests have in common: those that lie among tests,
// have none, and had assertions or what runs tests on base; and, where the product changes as
// well, data of which it only takes something away, and what stands around the tests of a
// file. What else it does to data may be what is expected now, and says nothing. alone tells
// of a file that lies beside the product whether only tests load it.
func Shared(c qa.Change, both func(qa.FileChange) (now, was []byte), alone func(name string) bool) (out []Common) {
	product := len(c.Of(qa.KindSource)) > 0
	for _, f := range c.Files {
		if f.Status == qa.Added || f.Status == qa.Copied || f.Binary || f.Submodule {
			continue
		}
		now, was := both(f)
		rev := qa.Revision{Path: f.Path, OldPath: f.OldPath, Before: was, After: now}
		switch {
		case f.Kind == qa.KindSource && f.Status == qa.Modified && judgesAlone(f.Path, was) && alone(f.Path), judges(f, now, was):
			if text := around.Helper(rev); text != nil {
				out = append(out, Common{f, text})
			}
		case !change.AmongTests(f):
		case product && f.Status != qa.Renamed && isData(f, now, was) && shrinks(now, was):
			out = append(out, Common{f, was})
		case product && f.Kind == qa.KindTest && !tellsNothing(f.Path, now, was):
			if text := around.Tests(rev); text != nil {
				f.Status = qa.Modified // it is laid where it is now
				out = append(out, Common{f, text})
			}
		}
	}
	return out
}

// Common is a file that tests have in common, or what they have in common in a file of theirs,
// with the text that asks for what base does; nil where base has none.
type Common struct {
	File qa.FileChange
	Text []byte
}

// judgesAlone reports whether a file that lies beside the product loads what judges tests, or
// is named for them and asserts.
func judgesAlone(name string, was []byte) bool {
	return framework.SpeaksOfJudges(was) || judging.Match(was) || change.NamedForTests(name) && adapter.Asserts(was)
}

var judging = pattern.New(`(?m)^\s*(?:import\s+)?(?:[\w.]+\s+)?"(?:testing|github\.com/stretchr/testify/\w+|gotest\.tools/v3/assert)"|^\s*(?:import|from)\s+(?:pytest|unittest)\b`)

func judges(f qa.FileChange, now, was []byte) bool {
	return f.Kind == qa.KindTest && f.Status == qa.Modified && (adapter.Asserts(was) || framework.SpeaksOfJudges(was)) &&
		tellsNothing(f.Path, now, was) && !framework.Configures(f.Path)
}

// isData tells what tests read, or load and has none of them.
func isData(f qa.FileChange, now, was []byte) bool {
	return (f.Language == "" || path.Ext(f.Path) == ".snap" || f.Kind == qa.KindTest && tellsNothing(f.Path, now, was)) && !framework.Configures(f.Path)
}

func tellsNothing(file string, now, was []byte) bool {
	return !framework.DefinesTests(file, now) && !framework.DefinesTests(file, was)
}

// shrinks reports whether a text has nothing but lines of the earlier one, in their order,
// and fewer of them; the comma behind the last one may have gone, and the file as well.
func shrinks(now, was []byte) bool {
	line := func(text []byte) []byte { return bytes.TrimRight(text, ", \t\r") }
	left, rest := bytes.Split(now, []byte("\n")), bytes.Split(was, []byte("\n"))
	if now == nil || len(left) >= len(rest) {
		return now == nil && len(was) > 0
	}
	for _, l := range left {
		at := slices.IndexFunc(rest, func(o []byte) bool { return bytes.Equal(line(o), line(l)) })
		if at < 0 {
			return false
		}
		rest = rest[at+1:]
	}
	return true
}
