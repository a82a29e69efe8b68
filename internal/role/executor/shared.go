package executor

import (
	"bytes"
	"path"
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

// Shared are the files of a change that tests have in common: those that lie among tests,
// have none, and had assertions or what runs tests on base; and, where the product changes as
// well, data of which it only takes something away. What else it does to data may be what is
// expected now, and says nothing.
func Shared(c qa.Change, both func(qa.FileChange) (now, was []byte)) (out []qa.FileChange) {
	for _, f := range c.Files {
		if f.Status != qa.Modified && f.Status != qa.Deleted || !change.AmongTests(f) {
			continue
		}
		now, was := both(f)
		if judges(f, now, was) || len(c.Of(qa.KindSource)) > 0 && isData(f, now, was) && shrinks(now, was) {
			out = append(out, f)
		}
	}
	return out
}

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
