package scan

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// markGaps says of every engine that did not look what nobody looked at in its
// place: silence is no answer of an engine that never spoke. One that has
// nothing to do, that the repository does not configure, or that yields to the
// repository's own rules leaves no gap.
func markGaps(req Request, t *engine.Tree, slots []*slot) {
	asked := req.Asked(t)
	for _, s := range slots {
		s.row.Gap = ""
		switch s.row.State {
		case "failed", "timeout":
			switch {
			case len(s.unread) > 0:
				s.row.Gap = filesOf(s.unread)
			case !yields(s, slots):
				s.row.Gap = filesOf(s.pass.Files)
			}
		case "missing":
			if !yields(s, slots) {
				s.row.Gap = filesOf(unread(s, slots, asked))
			}
		}
	}
}

// yields reports whether an engine with the repository's own rules ran in the
// slot's place.
func yields(s *slot, slots []*slot) bool {
	return slices.ContainsFunc(slots, func(o *slot) bool {
		return o.row.State == "ran" && slices.Contains(s.engine.YieldsTo, o.engine.Name)
	})
}

// weighty are the perspectives whose defects a merge must not miss: for the
// others a missing program is no gap where one that ran speaks to these.
var weighty = []qa.Perspective{qa.Bug, qa.Security}

// unread are the files of the slot's engine that no other engine looked at with
// the same eyes. A linter of the config file has no equal: somebody asked for it.
func unread(s *slot, slots []*slot, asked []qa.Perspective) []*engine.File {
	if _, ours := engines[s.engine.Name]; !ours {
		return s.pass.Files
	}
	return slices.DeleteFunc(slices.Clone(s.pass.Files), func(f *engine.File) bool {
		for _, p := range s.engine.Perspectives {
			if !slices.Contains(weighty, p) || !slices.Contains(asked, p) {
				continue
			}
			if !slices.ContainsFunc(slots, func(o *slot) bool { return o.row.State == "ran" && reviews(o.engine, f, p) }) {
				return false
			}
		}
		return true
	})
}

// reviews reports whether the engine looks for more than syntax errors and
// single mistakes in the file.
func reviews(e engine.Engine, f *engine.File, p qa.Perspective) bool {
	return !e.Shallow && slices.Contains(e.Languages, f.Language) && slices.Contains(e.Perspectives, p)
}

// filesOf counts files by language: "2 JavaScript files, 1 TypeScript file".
func filesOf(files []*engine.File) string {
	count := map[string]int{}
	for _, f := range files {
		title := "" // other
		if l := language.Named(f.Language); l.Grammar != "" {
			title = l.Title
		}
		count[title]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if name != "" {
			parts = append(parts, wording.Count(count[name], name+" file"))
		}
	}
	if n := count[""]; n > 0 {
		parts = append(parts, wording.Count(n, "other file"))
	}
	return strings.Join(parts, ", ")
}
