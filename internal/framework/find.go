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
	"sync"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/shell"
)

// Found is what detection saw in a directory and the packages below.
type Found struct {
	// Detections are the suites to run, by directory; several of one directory
	// have different Leaf names.
	Detections []adapter.Detection
	// Checks are the parts of the test scripts that are no tests.
	Checks []Check
	// Ahead are the builds ahead of suites that check types.
	Ahead []Check
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
func Find(m project.Machine, absRoot, dir, only string) (Found, error) {
	root, f, dir, err := open(m, absRoot, dir)
	if err != nil {
		return Found{}, err
	}
	defer root.Close()
	f.only = only
	f.above(dir)
	for _, at := range f.tree.Packages(dir, markers()) {
		f.in(at)
	}
	for _, at := range f.members() {
		f.in(at)
	}
	f.enter()
	return f.finish(), nil
}

// open begins a look into dir; the caller closes root.
func open(m project.Machine, absRoot, dir string) (root *os.Root, f *finder, clean string, err error) {
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
	return root, &finder{tree: &folder.Tree{Root: root, Abs: absRoot, Seen: map[string]bool{}}, machine: m, runners: runners(), looked: map[string]bool{}}, clean, nil
}

// finish puts what was found in order.
func (f *finder) finish() Found {
	// A script may run tests in another folder.
	slices.SortStableFunc(f.found.Detections, func(a, b adapter.Detection) int { return cmp.Compare(a.Dir, b.Dir) })
	f.found.Detections = name(prune(f.found.Detections))
	f.found.Read = f.read()
	return f.found
}

// read are the files that were looked at so far.
func (f *finder) read() []string { return slices.Sorted(maps.Keys(f.tree.Seen)) }

type finder struct {
	tree    *folder.Tree
	machine project.Machine
	runners script.Runners
	only    string
	found   Found
	away    []delegation
	made    []script.Leaf // what test targets run
	looked  map[string]bool
}

// project is a folder as the adapters see it.
func (f *finder) project(dir string) *project.Project {
	return project.New(f.tree, f.machine, f.runners, dir)
}

// above reads what the scripts of the folders above dir run in it.
func (f *finder) above(dir string) {
	for i, c := range dir + "/" {
		if at := dir[:min(i, len(dir))]; dir != "." && (c == '/' || i == 0) && at != dir {
			at = cmp.Or(at, ".")
			leaves := f.leaves(f.project(at))
			f.sort(at, leaves)
		}
	}
	f.found = Found{}
}

// in looks into one folder.
func (f *finder) in(dir string) {
	f.looked[dir] = true
	p := f.project(dir)
	if p.Broken != "" {
		f.found.Broken = append(f.found.Broken, Note{path.Join(dir, "package.json"), "does not parse: " + p.Broken})
	}
	if script := f.leftOut(p); script != "" {
		f.note(dir, "the test script of the repository does not run its script "+script+": a filter leaves it out")
		return
	}
	leaves, away := f.sort(dir, f.leaves(p))
	var own []adapter.Detection
	for _, l := range leaves {
		d := f.detection(l)
		same := func(o adapter.Detection) bool { return sameRun(d, o) }
		if !slices.ContainsFunc(own, same) && !slices.ContainsFunc(f.found.Detections, same) {
			own = append(own, *d)
		}
	}
	own = f.evidence(p, own, away)
	own = f.amongTests(p, own)
	scripted := slices.ContainsFunc(leaves, func(l script.Leaf) bool { return l.Called.Name != "" })
	proven := func(d adapter.Detection) bool { return d.Rank < adapter.RankScript } // by no script
	if !away && f.only == "" && (!scripted || slices.ContainsFunc(own, proven)) {
		f.besides(dir)
	}
	if f.only != "" {
		own = f.limited(p, own)
	}
	for i := range own {
		javascript.Built(p, &own[i])
	}
	f.found.Detections = append(f.found.Detections, own...)
}

// amongTests leaves out the commands of a package that stands among the tests of a
// package above with suites of its own, which runs it where it needs it.
func (f *finder) amongTests(p *project.Project, own []adapter.Detection) []adapter.Detection {
	above, below := aboveTests(p.Dir)
	if !below || !slices.ContainsFunc(f.found.Detections, func(d adapter.Detection) bool { return cmp.Or(d.Dir, ".") == above }) {
		return own
	}
	return slices.DeleteFunc(own, func(d adapter.Detection) bool {
		if d.Framework != Command.Name {
			return false
		}
		f.note(p.Dir, "a package among the tests of another one, whose script does not run it; name it in targets to run it")
		return true
	})
}

// aboveTests is the folder above the first one that holds tests only.
func aboveTests(dir string) (above string, ok bool) {
	parts := strings.Split(dir, "/")
	i := slices.IndexFunc(parts, func(p string) bool { return slices.Contains(adapter.TestFolders, p) })
	if i < 0 || i == len(parts)-1 {
		return "", false
	}
	return cmp.Or(path.Join(parts[:i]...), "."), true
}

// leaves follows the scripts of a folder.
func (f *finder) leaves(p *project.Project) []script.Leaf {
	out := f.denoTasks(p, f.scripted(p))
	for _, start := range []func(*script.Reader){
		func(r *script.Reader) { r.RunTox(nil, nil, script.Spot{Dir: p.Dir}) },
		func(r *script.Reader) { r.RunNox(nil, nil, script.Spot{Dir: p.Dir}) },
		func(r *script.Reader) { r.FirstHatch(script.Spot{Dir: p.Dir}) },
	} {
		if slices.ContainsFunc(out, ofPython) {
			break
		}
		out = append(out, f.follow(start)...)
	}
	return out
}

// scripted follows the scripts of a package: those that a script further up
// runs in it, else its own.
func (f *finder) scripted(p *project.Project) (out []script.Leaf) {
	if p.Pkg == nil {
		return nil
	}
	names := f.delegated(p)
	run := func(name string) {
		out = append(out, f.follow(func(r *script.Reader) { r.Script(name, script.Spot{Dir: p.Dir}, nil) })...)
	}
	for _, name := range names {
		run(name)
	}
	if slices.ContainsFunc(out, leads) {
		return out
	}
	for _, name := range p.Pkg.TestScripts() {
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
func leads(l script.Leaf) bool { return l.Testing() || l.Class == script.Packages }

func (f *finder) follow(start func(*script.Reader)) []script.Leaf {
	r := script.NewReader(f.runners, f.tree.Read)
	r.Python = sync.OnceValue(func() string { return f.project(".").Interpreter().Minor() })
	start(r)
	for _, n := range r.Notes {
		f.note(n.What, n.Why)
	}
	return r.Out
}

func (f *finder) note(what, why string) {
	if len(f.found.Notes) < maxNotes {
		f.found.Notes = append(f.found.Notes, Note{shell.Cut(what, shell.MaxShown), shell.Cut(why, 2*shell.MaxShown)})
	}
}

// sort takes the tests out of leaves and gives each the preparations that come
// before it. Checks, and what nothing follows, are noted in the order of the script.
func (f *finder) sort(dir string, leaves []script.Leaf) (tests []script.Leaf, away bool) {
	var before, checks []script.Leaf
	unused := 0 // the last ones of before
	for _, up := range f.away {
		if up.dir != dir && folder.Within(dir, folder.FromDot(up.dir)) {
			before = append(before, up.before...)
		}
	}
	for i, l := range leaves {
		if f.runners.Trails(l) && !slices.ContainsFunc(leaves[i+1:], leads) {
			l.Class = script.Unknown
		}
		if l.Class == script.Packages && l.Program == "nx" && nxTargets(f.tree, l.Dir, l.Args) {
			l.Class = script.Unknown // no script of the packages tells
		}
		if l.Class == script.Packages {
			if pattern := f.missed(delegation{dir: l.Dir, only: l.Globs}); pattern != "" {
				f.note(strings.TrimSpace(folder.FromDot(dir)+" "+l.Script), "names packages that are not found here: "+shell.Cut(pattern, shell.MaxShown))
				l.Class = script.Unknown
			}
		}
		switch {
		case l.Testing():
			l.Before, unused, checks = slices.Clone(before), 0, slices.DeleteFunc(checks, prepares)
			ahead(f, before)
			tests = append(tests, l)
		case l.Class == script.Packages:
			away, unused, checks = true, 0, slices.DeleteFunc(checks, prepares)
			f.away = append(f.away, delegation{l.Dir, l.Args, l.Globs, slices.Clone(before)})
		case l.Class == script.Preparation:
			before, unused, checks = append(before, l), unused+1, append(checks, l)
		case l.Class == script.Check:
			l.Before = slices.Clone(before)
			checks = append(checks, behind(tests, l))
		case l.Class == script.Service:
			f.note(strings.TrimSpace(folder.FromDot(l.Dir)+" "+l.Script), "does not end by itself and no test follows it: "+shell.Cut(l.Line, shell.MaxShown))
		}
	}
	for _, l := range checks {
		if len(tests) > 0 || away { // what no test follows is run as a check
			l.Before = l.Before[:min(len(l.Before), len(before)-unused)]
		} else if prepares(l) {
			continue
		}
		f.check(l, l.Program == "git" && !l.Plain)
	}
	for _, l := range tests {
		reported(f, l, false)
	}
	return tests, away
}

// behind is a check that looks at the tree, with the suites before it that write into it.
func behind(tests []script.Leaf, l script.Leaf) script.Leaf {
	line := ""
	for _, t := range tests {
		if t.Dir == l.Dir {
			line += t.Shown() + " && "
		}
	}
	if l.Program == "git" && line != "" {
		l.Line, l.Plain = line+l.Line, false
	}
	return l
}

func prepares(l script.Leaf) bool { return l.Class == script.Preparation }
