package record

import (
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
)

// together adds what a second scan found to what is remembered.
func (r Recorder) together(again []qa.Finding) []qa.Finding {
	var known []qa.Finding
	_, err := r.Session.Memory.Recall("discovered_issues", &known)
	r.Notes.Note(err)
	for _, f := range again {
		if !slices.ContainsFunc(known, func(k qa.Finding) bool { return k.Fingerprint == f.Fingerprint }) {
			known = append(known, f)
		}
	}
	return known
}

// remember leaves the tests of a layer in the shared memory, beside those of its
// earlier rounds, and what of them proved useful.
func (r Recorder) remember(row task.Row, tests []qa.GeneratedTest) {
	all := map[qa.Layer][]qa.GeneratedTest{}
	var patterns []string
	_, err := r.Session.Memory.Recall("generated_tests", &all)
	r.Notes.Note(err)
	_, err = r.Session.Memory.Recall("effective_patterns", &patterns)
	r.Notes.Note(err)
	own := all[row.Layer]
	for _, g := range tests {
		i := slices.IndexFunc(own, func(o qa.GeneratedTest) bool { return o.Path == g.Path && o.Name == g.Name })
		switch {
		case i < 0:
			own = append(own, g)
		case g.Kept || !own[i].Kept: // one that was kept stays kept
			own[i] = g
		}
		lesson := g.Lesson()
		if g.Kept && !slices.Contains(patterns, lesson) {
			patterns = append(patterns, lesson)
		}
		r.Notes.Note(r.Session.Wisdom.Learn(session.Learnings, row.ID, lesson))
	}
	r.Notes.Note(r.Session.Memory.Remember(task.Generator, "generated_tests/"+string(row.Layer), Listed(r.Notes, own)))
	if len(patterns) > 0 {
		r.Notes.Note(r.Session.Memory.Remember(task.Executor, "effective_patterns", patterns))
	}
}
