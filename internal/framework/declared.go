package framework

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
)

// ownCommand is where the leaves of the user's own command stand.
const ownCommand = "test-command"

// Follow reads the user's own test command as a test script is read: what it
// starts, itself or through make, just, tox, nox, hatch or other scripts, are its
// detections. Without any the command is what is to be run: where it leads
// nowhere, to a tool that alone knows, or to a runner that is not here.
func Follow(m project.Machine, absRoot, dir, line string) (Found, error) {
	return Stated(m, absRoot, dir, line, ownCommand)
}

// Stated is Follow for a command that stands in a source, "tests.yml:31".
func Stated(m project.Machine, absRoot, dir, line, source string) (Found, error) {
	root, f, dir, err := open(m, absRoot, dir)
	if err != nil {
		return Found{}, err
	}
	defer root.Close()
	leaves := f.follow(func(r *script.Reader) {
		r.Text(line, script.Spot{Dir: dir, Source: source, Kind: script.Unknown}, nil)
	})
	tests, away := f.sort(dir, leaves)
	if away {
		tests = append(tests, f.inPackages(dir)...)
	}
	for _, l := range tests {
		d := f.detection(l)
		if !d.Installed || l.Source == source && d.Framework == Command.Name {
			return Found{Read: f.read()}, nil
		}
		javascript.Built(f.project(l.Dir), d)
		if !slices.ContainsFunc(f.found.Detections, func(o adapter.Detection) bool { return sameRun(d, o) }) {
			f.found.Detections = append(f.found.Detections, *d)
		}
	}
	return f.finish(), nil
}

// inPackages follows the scripts that the command runs in the packages below.
func (f *finder) inPackages(dir string) (tests []script.Leaf) {
	for _, at := range f.tree.Packages(dir, markers()) {
		p := f.project(at)
		for _, name := range f.delegated(p) {
			found, _ := f.sort(at, f.follow(func(r *script.Reader) { r.Script(name, script.Spot{Dir: at}, nil) }))
			tests = append(tests, found...)
		}
	}
	return tests
}

// besides says what the test target of a folder's Makefile runs that is not
// among what was found there, or runs in another way: make alone is told by nobody to be the test
// command.
func (f *finder) besides(dir string, found []adapter.Detection) {
	if f.tree.First(dir, "GNUmakefile", "makefile", "Makefile") == "" {
		return
	}
	for _, l := range f.follow(func(r *script.Reader) {
		r.Text("make test", script.Spot{Dir: dir, Source: ownCommand, Kind: script.Unknown}, nil)
	}) {
		var asks []string // what it says of how its tests run
		if l.Class == script.Suite {
			d := f.detection(l)
			asks = slices.Concat(d.Env, each.Where(d.Args, func(a string) bool { return strings.HasPrefix(a, "-") }))
		}
		runs := func(d adapter.Detection) bool {
			return d.Framework == l.Framework && d.Dir == folder.FromDot(l.Dir) && !slices.ContainsFunc(asks, func(a string) bool {
				return !slices.Contains(d.Args, a) && !slices.Contains(d.Env, a)
			})
		}
		switch {
		case !l.Testing() || l.Source == ownCommand || slices.ContainsFunc(found, runs):
		case l.Class == script.Suite && len(asks) == 0 && l.Dir != dir:
			f.entered = append(f.entered, l)
		default:
			f.note("make test: "+l.Shown(), byMake)
		}
	}
}

const byMake = "its target test runs it, and nothing names make as the test command; set test-command: make test"

// enter looks into the folders in which make runs tests of their own: some of them are
// passed over otherwise, as examples are.
func (f *finder) enter() {
	looked := map[string]bool{} // one may enter another that enters it
	for i := 0; i < len(f.entered); i++ {
		l := f.entered[i]
		found := func() bool {
			return slices.ContainsFunc(f.found.Detections, func(d adapter.Detection) bool {
				return d.Framework == l.Framework && d.Dir == folder.FromDot(l.Dir)
			})
		}
		if !found() && !looked[l.Dir] {
			looked[l.Dir] = true
			f.in(l.Dir)
		}
		if !found() {
			f.note("make test: "+l.Shown(), byMake)
		}
	}
}
