package framework

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/shell"
)

// Widen takes over from a command of a workflow what makes a runner look at more than it
// does by itself, such as Go's race detector, a build tag or Maven's phase for integration tests, for suites that
// configuration alone proves: people see tests fail as their workflow runs them. A test
// script says all there is to say of its suite. What makes a command see less counts for
// nothing. What cannot be taken over is noted.
func Widen(m project.Machine, absRoot, dir string, by Told, found *Found) error {
	root, f, dir, err := open(m, absRoot, dir)
	if err != nil {
		return err
	}
	defer root.Close()
	leaves := f.follow(func(r *script.Reader) {
		r.Text(by.Line, script.Spot{Dir: dir, Source: by.Source, Kind: script.Unknown}, nil)
	})
	f.found = Found{Detections: found.Detections}
	for _, l := range leaves {
		widen(f, l, by)
	}
	found.Detections = f.found.Detections
	found.Notes = append(found.Notes, f.found.Notes...)
	found.Read = slices.Compact(slices.Sorted(slices.Values(append(found.Read, f.read()...))))
	return nil
}

func widen(f *finder, l script.Leaf, by Told) {
	a, err := For(l.Framework)
	if err != nil || l.Class != script.Suite || a.Habits.Widen == nil && a.Habits.Apart == nil {
		return
	}
	told := f.detection(l)
	if a.Habits.Apart != nil {
		otherCode(f, a, *told, by, l)
		return
	}
	for i := range f.found.Detections {
		d := &f.found.Detections[i]
		if d.Framework != told.Framework || d.Dir != told.Dir || d.Rank >= adapter.RankScript || !contains(told.Packages, d.Packages) {
			continue
		}
		from := by.Source + ": " + shell.Cut(l.Shown(), shell.MaxShown)
		if lacks := a.Habits.Widen(f.project(l.Dir), d, *told, by.Needs); lacks != "" {
			f.note(by.Source+": "+l.Shown(), lacks)
		}
		if !slices.Contains(d.Evidence, from) {
			d.Evidence = append(d.Evidence, from)
		}
	}
}

// mostApart is how many suites of a workflow stand beside one that was found.
const mostApart = 4

// BuildsOther begins why a command is not run that builds other code than those that are.
const BuildsOther = "it builds other code than what was tested: "

// otherCode makes a suite of a command that builds other code than those that were found.
func otherCode(f *finder, a adapter.Adapter, told adapter.Detection, by Told, l script.Leaf) {
	other, lacks, found, own := true, "", 0, -1
	for i, d := range f.found.Detections {
		if d.Framework != told.Framework || d.Dir != told.Dir {
			continue
		}
		is, why := a.Habits.Apart(d, told)
		if other, lacks, found = other && is, why, found+1; d.Rank < adapter.RankScript {
			own = i
		}
	}
	switch {
	case found == 0 || !other:
		return
	case own < 0:
		lacks = "a script says how the tests are run"
	case by.Needs:
		lacks = "its job has services or installs packages of the machine, which that may need"
	case lacks == "" && found > mostApart:
		lacks = "there are more such commands than are run"
	}
	if lacks != "" {
		f.note(by.Source+": "+l.Shown(), BuildsOther+lacks+"; name it in test-command to run it")
		return
	}
	told.Env, told.Leaf = f.found.Detections[own].Env, shell.Cut(told.Framework+" "+strings.Join(told.Args, " "), 40)
	f.found.Detections = append(f.found.Detections, told)
}

// Told is a command of a workflow, as a shell line, with where it stands. Needs says that
// its job has services beside it, or installs packages of the machine, Afar that it has
// what only the workflow's run has.
type Told struct {
	Line, Source string
	Needs, Afar  bool
}

// contains reports whether patterns of packages name all that others name.
func contains(patterns, others []string) bool {
	return slices.Contains(patterns, "./...") || !slices.ContainsFunc(others, func(p string) bool { return !slices.Contains(patterns, p) })
}
