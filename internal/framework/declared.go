package framework

import "slices"

// ownCommand is where the leaves of the user's own command stand.
const ownCommand = "test-command"

// Follow reads the user's own test command as a test script is read: what it
// leads to through make, just, tox, nox, hatch or other scripts are its
// detections. Without any the command is what is to be run: where it leads
// nowhere, to a tool that alone knows, or to a runner that is not here.
func (m Machine) Follow(absRoot, dir, line string) (Found, error) {
	root, f, dir, err := m.open(absRoot, dir)
	if err != nil {
		return Found{}, err
	}
	defer root.Close()
	leaves := f.follow(func(r *reader) { r.text(line, spot{dir: dir, source: ownCommand, kind: unknown}, nil) })
	tests, away := f.sort(dir, leaves)
	if away {
		tests = append(tests, f.inPackages(dir)...)
	}
	left := slices.ContainsFunc(tests, func(l leaf) bool { return l.source == ownCommand })
	for _, l := range tests {
		d := f.tree.detection(l)
		if !d.Installed || left {
			return Found{Read: f.read()}, nil
		}
		newProject(f.tree, l.dir).built(d)
		if !slices.ContainsFunc(f.found.Detections, d.same) {
			f.found.Detections = append(f.found.Detections, *d)
		}
	}
	return f.finish(), nil
}

// inPackages follows the scripts that the command runs in the packages below.
func (f *finder) inPackages(dir string) (tests []leaf) {
	for _, at := range f.tree.packages(dir) {
		p := newProject(f.tree, at)
		for _, name := range f.delegated(p) {
			found, _ := f.sort(at, f.follow(func(r *reader) { r.script(name, spot{dir: at}, nil) }))
			tests = append(tests, found...)
		}
	}
	return tests
}

// besides says what the test target of a folder's Makefile runs that is not
// among what was found there: make alone is told by nobody to be the test
// command.
func (f *finder) besides(dir string, found []Detection) {
	if f.tree.first(dir, "GNUmakefile", "makefile", "Makefile") == "" {
		return
	}
	for _, l := range f.follow(func(r *reader) { r.text("make test", spot{dir: dir, source: ownCommand, kind: unknown}, nil) }) {
		runs := func(d Detection) bool { return d.Framework == l.framework && d.Dir == fromDot(l.dir) }
		if l.testing() && l.source != ownCommand && !slices.ContainsFunc(found, runs) {
			f.note("make test: "+l.shown(), "its target test runs it, and nothing names make as the test command; set test-command: make test")
		}
	}
}
