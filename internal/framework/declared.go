package framework

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/pattern"
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

// pace are options that change no outcome of a test but for its time.
var pace = pattern.New(`^--?(?:count|timeout|parallel|cpu|maxWorkers|jobs|j|locked|no-fail-fast|U)(?:=.*|\d+)?$`)

// runs reports whether a leaf that runs tests is among what was found, and what it asks
// for: options and variables without which it is another suite.
func runs(f *finder, l script.Leaf, found []adapter.Detection) (asks []string, is bool) {
	if !l.Testing() {
		return nil, false
	}
	d := f.detection(l)
	if l.Class == script.Suite {
		asks = slices.Concat(d.Env, each.Where(d.Args, func(a string) bool { return strings.HasPrefix(a, "-") && !pace.MatchString(a) }))
	}
	return asks, slices.ContainsFunc(found, func(o adapter.Detection) bool {
		return sameRun(d, o) || l.Class == script.Suite && o.Framework == l.Framework && o.Dir == folder.FromDot(l.Dir) &&
			holdsAll(slices.Concat(o.Args, o.Env), asks) && holdsAll(o.Plugins, d.Kinds()) && reaches(o, *d)
	})
}

// reaches reports whether a run is told to look at all files and folders that another one
// names; where it is told of none, at those that its runner knows for tests.
func reaches(run, other adapter.Detection) bool {
	own := places(run)
	if len(own) == 0 {
		own = run.Roots
	}
	a, err := For(run.Framework)
	return !slices.ContainsFunc(places(other), func(name string) bool {
		if len(own) > 0 {
			return !slices.ContainsFunc(own, func(o string) bool { return within(name, o) })
		}
		return path.Ext(name) != "" && err == nil && a.IsTest != nil && !a.IsTest(strings.NewReplacer("**", "a", "*", "a").Replace(name))
	})
}

// within reports whether all that a name may mean is among what another one does.
func within(name, other string) bool {
	if name == other {
		return true
	}
	if pathGlob(other) && !pathGlob(name) {
		return doublestar.MatchUnvalidated(path.Clean(other), path.Clean(name))
	}
	return folder.Within(outside(name), outside(other))
}

func pathGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }

// placeWord is a word that names files or folders; others may be the value of an option.
var placeWord = pattern.New(`^[^-].*[./*]|^[.*]|^[\w-]*(?:tests?|specs?|e2e)[\w-]*$`)

// places are the words of a run that name files and folders.
func places(d adapter.Detection) []string {
	return slices.Concat(each.Where(d.Args, func(a string) bool { return !strings.HasPrefix(a, "-") && placeWord.MatchString(a) }), d.Paths, d.Packages)
}

// outside is the folder in which all that a name may mean lies, from the project's folder.
func outside(name string) string {
	name, _, _ = strings.Cut(name, "::")
	if at := strings.IndexAny(name, "*?[{"); at >= 0 {
		name = path.Dir(name[:at] + "x")
	}
	return folder.FromDot(path.Clean(strings.TrimSuffix(name, "/...")))
}

func holdsAll(list, those []string) bool {
	return !slices.ContainsFunc(those, func(s string) bool { return !slices.Contains(list, s) })
}
