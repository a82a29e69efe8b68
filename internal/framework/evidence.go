package framework

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/framework/script"
)

// ofPython reports whether a leaf runs the tests of a Python project.
func ofPython(l script.Leaf) bool {
	return l.Testing() && (l.Framework == python.Pytest.Name || slices.Contains([]string{"tox.ini", "noxfile.py", "pyproject.toml", "setup.cfg", "tox.toml"}, l.Source) || script.IsPython(l.Program) || l.Program == "setup.py")
}

// evidence adds what configuration and dependencies prove for the languages
// that no script runs, and says what they prove beside a script.
func (f *finder) evidence(p *project.Project, own []adapter.Detection, away bool) []adapter.Detection {
	scripts := slices.Clone(own)
	for _, d := range f.found.Detections { // run by a script further up
		if d.Dir == folder.FromDot(p.Dir) {
			scripts = append(scripts, d)
		}
	}
	scripted := len(scripts) > 0
	for _, in := range languages() {
		runs := slices.ContainsFunc(scripts, func(d adapter.Detection) bool { return spoken(d) == in })
		var proven []adapter.Detection
		for _, a := range table {
			if a.Language != in || slices.ContainsFunc(scripts, func(o adapter.Detection) bool { return o.Framework == a.Name }) {
				continue
			}
			if d := a.Detect(p); d != nil {
				d.Framework, d.Dir = a.Name, folder.FromDot(p.Dir)
				proven = append(proven, *d)
			}
		}
		slices.SortStableFunc(proven, func(a, b adapter.Detection) int { return cmp.Compare(b.Rank, a.Rank) })
		for i, d := range proven {
			what := strings.TrimSpace(cmp.Or(d.Dir, ".") + " " + d.Framework)
			switch {
			case runs:
				f.note(what, script.First(d.Evidence)+", and no test script runs it; name it in the input framework to run it")
			case i > 0:
				f.note(what, "another framework of the same directory is better proven; name it in the input framework to run it")
			case in == scripting && p.Dir != "." && d.Rank <= adapter.RankDependency && !p.HoldsPath(p.Dir, isTest(d.Framework)):
				// A package of shared configuration has the runner for others.
			case scripted && !hasTests(p, d.Framework):
				// A project of another language, without tests in this one.
			default:
				d.Weak = d.Weak || away && in == scripting
				own = append(own, d)
			}
		}
	}
	if away && !scripted {
		if d := detectCommand(p); d != nil {
			d.Framework, d.Dir = Command.Name, folder.FromDot(p.Dir)
			if !slices.ContainsFunc(own, func(o adapter.Detection) bool { return o.Dir == d.Dir }) {
				own = append(own, *d)
			}
		}
	}
	return own
}

// scripting is the language of the projects whose scripts lead to other packages.
const scripting = "javascript"

// languages are those of the table, in its order: what a script of one language
// runs says nothing about the tests of another.
func languages() []string {
	var out []string
	for _, a := range table {
		if !slices.Contains(out, a.Language) {
			out = append(out, a.Language)
		}
	}
	return out
}

// spoken is the language that the tests of a detection are in.
func spoken(d adapter.Detection) string {
	adapter, err := For(d.Framework)
	switch {
	case err == nil && adapter.Language != "":
		return adapter.Language
	case d.Python:
		return python.Pytest.Language
	}
	return scripting
}

// hasTests reports whether the folder holds files that look like tests of a
// framework.
func hasTests(p *project.Project, framework string) bool {
	a, err := For(framework)
	return err == nil && p.Holds(p.Dir, a.IsTest)
}

// isTest tells the test files of a framework by their paths.
func isTest(framework string) func(file string) bool {
	a, err := For(framework)
	return func(file string) bool { return err != nil || a.IsTest(file) }
}

// limited keeps one framework; where a script hides it, its own evidence
// counts.
func (f *finder) limited(p *project.Project, own []adapter.Detection) []adapter.Detection {
	own = slices.DeleteFunc(own, func(d adapter.Detection) bool { return d.Framework != f.only })
	a, err := For(f.only)
	if len(own) > 0 || err != nil {
		return own
	}
	if d := a.Detect(p); d != nil {
		d.Framework, d.Dir = f.only, folder.FromDot(p.Dir)
		own = append(own, *d)
	}
	return own
}
