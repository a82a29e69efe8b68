package framework

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Found is what detection saw in a directory and the packages below.
type Found struct {
	// Detections are the suites to run, by directory; several of one directory
	// have different Leaf names.
	Detections []Detection
	// Checks are the parts of the test scripts that are no tests and are not
	// run: "test: eslint .", "web test: tsc --noEmit".
	Checks []string
	// Notes is what was seen and is not run, with the reason.
	Notes []Note
	// Broken are manifests that cannot be read: what tests they have is not
	// known.
	Broken []Note
	// Read are the files of the repository that this depends on, sorted.
	Read []string
}

// Note is one thing that is not run.
type Note struct{ What, Why string }

// maxNotes bounds what is told of a repository.
const maxNotes = 200

// Find looks for test frameworks in dir (relative to absRoot, empty for the
// root) and, a bounded way, in the packages below it. A test script is followed
// to its leaves, and every leaf that runs tests is a detection of its own.
// Where no script tells, configuration and dependencies do: the best proven
// framework of each language is taken. A package whose tests a run further up
// covers is not returned. Nothing found is an empty list: there is no default
// framework. With only, the name of a framework, nothing else is returned, and
// its configuration counts also where a script runs something else.
func (m Machine) Find(absRoot, dir, only string) (Found, error) {
	root, f, dir, err := m.open(absRoot, dir)
	if err != nil {
		return Found{}, err
	}
	defer root.Close()
	f.only = only
	f.above(dir)
	for _, at := range f.tree.packages(dir) {
		f.in(at)
	}
	return f.finish(), nil
}

// open begins a look into dir; the caller closes root.
func (m Machine) open(absRoot, dir string) (root *os.Root, f *finder, clean string, err error) {
	root, err = os.OpenRoot(absRoot)
	if err != nil {
		return nil, nil, "", fmt.Errorf("detect test frameworks: %w", err)
	}
	clean = path.Clean(filepath.ToSlash(dir))
	if clean != "." && !filepath.IsLocal(clean) {
		err = fmt.Errorf("detect test frameworks: directory %q is outside the repository", clean)
	} else if info, statErr := root.Stat(clean); statErr != nil || !info.IsDir() {
		err = fmt.Errorf("detect test frameworks: %q is not a directory of the repository", clean)
	}
	if err != nil {
		return nil, nil, "", errors.Join(err, root.Close())
	}
	return root, &finder{tree: &tree{root: root, abs: absRoot, machine: m, seen: map[string]bool{}}}, clean, nil
}

// finish puts what was found in order.
func (f *finder) finish() Found {
	// A script may run tests in another folder.
	slices.SortStableFunc(f.found.Detections, func(a, b Detection) int { return cmp.Compare(a.Dir, b.Dir) })
	f.found.Detections = name(prune(f.found.Detections))
	f.found.Read = f.read()
	return f.found
}

// read are the files that were looked at so far.
func (f *finder) read() []string { return slices.Sorted(maps.Keys(f.tree.seen)) }

type finder struct {
	tree  *tree
	only  string
	found Found
	away  []delegation
}

// above reads what the scripts of the folders above dir run in it.
func (f *finder) above(dir string) {
	for i, c := range dir + "/" {
		if at := dir[:min(i, len(dir))]; dir != "." && (c == '/' || i == 0) && at != dir {
			at = or(at, ".")
			leaves := f.leaves(newProject(f.tree, at))
			f.sort(at, leaves)
		}
	}
	f.found = Found{}
}

// in looks into one folder.
func (f *finder) in(dir string) {
	p := newProject(f.tree, dir)
	if p.broken != "" {
		f.found.Broken = append(f.found.Broken, Note{path.Join(dir, "package.json"), "does not parse: " + p.broken})
	}
	if script := f.leftOut(p); script != "" {
		f.note(dir, "the test script of the repository does not run its script "+script+": a filter leaves it out")
		return
	}
	leaves, away := f.sort(dir, f.leaves(p))
	var own []Detection
	for _, l := range leaves {
		d := f.tree.detection(l)
		if !slices.ContainsFunc(own, d.same) && !slices.ContainsFunc(f.found.Detections, d.same) {
			own = append(own, *d)
		}
	}
	own = f.evidence(p, own, away)
	if len(leaves) == 0 && !away {
		f.besides(dir, own)
	}
	if f.only != "" {
		own = f.limited(p, own)
	}
	for i := range own {
		p.built(&own[i])
	}
	f.found.Detections = append(f.found.Detections, own...)
}

// leaves follows the scripts of a folder.
func (f *finder) leaves(p *project) []leaf {
	out := f.scripted(p)
	for _, start := range []func(*reader){
		func(r *reader) { r.runTox(nil, nil, spot{dir: p.dir}) },
		func(r *reader) { r.runNox(nil, nil, spot{dir: p.dir}) },
		func(r *reader) { r.firstHatch(spot{dir: p.dir}) },
	} {
		if slices.ContainsFunc(out, leaf.python) {
			break
		}
		out = append(out, f.follow(start)...)
	}
	return out
}

// scripted follows the scripts of a package: those that a script further up
// runs in it, else its own.
func (f *finder) scripted(p *project) (out []leaf) {
	if p.pkg == nil {
		return nil
	}
	names := f.delegated(p)
	run := func(name string) {
		out = append(out, f.follow(func(r *reader) { r.script(name, spot{dir: p.dir}, nil) })...)
	}
	for _, name := range names {
		run(name)
	}
	if slices.ContainsFunc(out, leads) {
		return out
	}
	for _, name := range p.pkg.testScripts() {
		if slices.Contains(names, name) {
			continue
		}
		if run(name); name == "test" && slices.ContainsFunc(out, leads) {
			break
		}
	}
	return out
}

// leads reports whether a leaf is a suite, or leads to those of other packages.
func leads(l leaf) bool { return l.testing() || l.class == packages_ }

func (f *finder) follow(start func(*reader)) []leaf {
	r := newReader(f.tree.read)
	start(r)
	for _, n := range r.notes {
		f.note(n.what, n.why)
	}
	return r.out
}

// python reports whether a leaf runs the tests of a Python project.
func (l leaf) python() bool {
	return l.testing() && (l.framework == pytest.Name || slices.Contains([]string{"tox.ini", "noxfile.py", "pyproject.toml", "setup.cfg", "tox.toml"}, l.source) || pythons.MatchString(l.program) || l.program == "setup.py")
}

func (f *finder) note(what, why string) {
	if len(f.found.Notes) < maxNotes {
		f.found.Notes = append(f.found.Notes, Note{cut(what, maxShown), cut(why, 2*maxShown)})
	}
}

// sort takes the tests out of leaves and gives each the preparations that come
// before it. Checks, and what nothing follows, are listed.
func (f *finder) sort(dir string, leaves []leaf) (tests []leaf, away bool) {
	var before, unused []leaf
	for _, up := range f.away {
		if up.dir != dir && within(dir, fromDot(up.dir)) {
			before = append(before, up.before...)
		}
	}
	for _, l := range leaves {
		if l.class == packages_ && l.program == "nx" && f.tree.nxTargets(l.dir, l.args) {
			l.class = unknown // no script of the packages tells
		}
		if l.class == packages_ {
			if pattern := f.missed(delegation{dir: l.dir, only: l.globs}); pattern != "" {
				f.note(strings.TrimSpace(fromDot(dir)+" "+l.script), "names packages that are not found here: "+cut(pattern, maxShown))
				l.class = unknown
			}
		}
		switch {
		case l.testing():
			l.before, unused = slices.Clone(before), nil
			tests = append(tests, l)
		case l.class == packages_:
			away, unused = true, nil
			f.away = append(f.away, delegation{l.dir, l.args, l.globs, slices.Clone(before)})
		case l.class == preparation:
			before, unused = append(before, l), append(unused, l)
		case l.class == check:
			f.check(l)
		case l.class == service:
			f.note(strings.TrimSpace(fromDot(l.dir)+" "+l.script), "does not end by itself and no test follows it: "+cut(l.line, maxShown))
		}
	}
	if len(tests) > 0 || away {
		for _, l := range unused {
			f.check(l)
		}
	}
	return tests, away
}

func (f *finder) check(l leaf) {
	text := strings.TrimSpace(fromDot(l.dir)+" "+l.script) + ": " + cut(l.shown(), maxShown)
	if len(f.found.Checks) < maxNotes && !slices.Contains(f.found.Checks, text) {
		f.found.Checks = append(f.found.Checks, text)
	}
}

// evidence adds what configuration and dependencies prove for the languages
// that no script runs, and says what they prove beside a script.
func (f *finder) evidence(p *project, own []Detection, away bool) []Detection {
	scripts := slices.Clone(own)
	for _, d := range f.found.Detections { // run by a script further up
		if d.Dir == fromDot(p.dir) {
			scripts = append(scripts, d)
		}
	}
	scripted := len(scripts) > 0
	for _, in := range languages() {
		runs := slices.ContainsFunc(scripts, func(d Detection) bool { return spoken(d) == in })
		var proven []Detection
		for _, a := range table {
			if a.Language != in || slices.ContainsFunc(scripts, func(o Detection) bool { return o.Framework == a.Name }) {
				continue
			}
			if d := a.detect(p); d != nil {
				d.Framework, d.Dir = a.Name, fromDot(p.dir)
				proven = append(proven, *d)
			}
		}
		slices.SortStableFunc(proven, func(a, b Detection) int { return cmp.Compare(b.rank, a.rank) })
		for i, d := range proven {
			what := strings.TrimSpace(or(d.Dir, ".") + " " + d.Framework)
			switch {
			case runs:
				f.note(what, first(d.Evidence)+", and no test script runs it; name it in the input framework to run it")
			case i > 0:
				f.note(what, "another framework of the same directory is better proven; name it in the input framework to run it")
			case scripted && !p.hasTests(d.Framework):
				// A project of another language, without tests in this one.
			default:
				d.weak = d.weak || away && in == scripting
				own = append(own, d)
			}
		}
	}
	if away && !scripted {
		if d := detectCommand(p); d != nil {
			d.Framework, d.Dir = Command.Name, fromDot(p.dir)
			if !slices.ContainsFunc(own, func(o Detection) bool { return o.Dir == d.Dir }) {
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
func spoken(d Detection) string {
	adapter, err := For(d.Framework)
	switch {
	case err == nil && adapter.Language != "":
		return adapter.Language
	case d.python:
		return pytest.Language
	}
	return scripting
}

// hasTests reports whether the folder holds files that look like tests of a
// framework.
func (p *project) hasTests(framework string) bool {
	a, err := For(framework)
	return err == nil && p.holds(p.dir, a.IsTest)
}

// limited keeps one framework; where a script hides it, its own evidence
// counts.
func (f *finder) limited(p *project, own []Detection) []Detection {
	own = slices.DeleteFunc(own, func(d Detection) bool { return d.Framework != f.only })
	a, err := For(f.only)
	if len(own) > 0 || err != nil {
		return own
	}
	if d := a.detect(p); d != nil {
		d.Framework, d.Dir = f.only, fromDot(p.dir)
		own = append(own, *d)
	}
	return own
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
