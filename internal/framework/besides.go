package framework

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/framework/script/recipe"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

// What the repository's own command runs besides the suites that were found: the test
// target of a Makefile or justfile, a command of its workflow. No script names it, and
// whoever runs it sees it fail, so it is run as it stands where nothing else of it ran.

// besides follows the test targets of a folder.
func (f *finder) besides(dir string) {
	for _, own := range recipe.TestTargets {
		if !own.Names.MatchString(text(f, dir, own)) {
			continue
		}
		for _, l := range f.follow(func(r *script.Reader) {
			r.Text(own.Command, script.Spot{Dir: dir, Source: ownCommand, Kind: script.Unknown}, nil)
		}) {
			l.Script = cmp.Or(l.Script, "test")
			f.made = append(f.made, l)
		}
	}
}

// text is what a tool reads in a folder, with the files that it names to be included.
func text(f *finder, dir string, own recipe.TestTarget) string {
	data, _ := f.tree.Read(path.Join(dir, f.tree.First(dir, own.Files...)))
	text := string(data)
	for _, name := range recipe.Included(text) {
		more, _ := f.tree.Read(path.Join(dir, name))
		text += "\n" + string(more)
	}
	return text
}

// enter runs what test targets run besides. Where that is a suite of another folder, it is
// looked into first: some are passed over otherwise, as examples are.
func (f *finder) enter() {
	for i := 0; i < len(f.made); i++ { // a folder may have targets of its own
		l := f.made[i]
		asks, same := runs(f, l, f.found.Detections)
		if l.Class == script.Suite && !same && len(asks) == 0 && !f.looked[l.Dir] {
			f.in(l.Dir)
			asks, same = runs(f, l, f.found.Detections)
		}
		if l.Class == script.Suite && !same {
			widen(f, l, Told{Source: l.From()})
			asMade(f, l)
			asks, same = runs(f, l, f.found.Detections)
		}
		switch {
		case same:
			reported(f, l, true)
		case l.Class == script.Packages, l.Class == script.Service, installs(l):
		case l.Source == ownCommand && onlySuites(f, l):
			f.note(l.Shown(), byTool+l.Shown())
		case l.Class == script.Unknown && onlyStarts(f, l):
		case l.Class == script.Suite && !slices.ContainsFunc(asks, func(a string) bool { return !selects.MatchString(a) }) && len(asks) > 0:
			f.note("make test: "+l.Shown(), byMake)
		default:
			f.check(l, true)
		}
	}
}

// asMade puts what a test target says of a suite in the place of what configuration alone
// says of it, where it has the same tests run: with its variables and options, and once.
func asMade(f *finder, l script.Leaf) {
	told, p := f.detection(l), f.project(l.Dir)
	a, err := For(l.Framework)
	some := func(w string) bool { return !strings.HasPrefix(w, "-") || selects.MatchString(w) }
	if err != nil || a.Habits.Widen != nil || told.Framework != l.Framework || slices.ContainsFunc(told.Args, some) {
		return
	}
	left := func(file string) bool {
		name := folder.Beneath(file, told.Dir)
		return a.IsTest(file) && !slices.ContainsFunc(places(*told), func(at string) bool { return within(name, at) })
	}
	if len(places(*told)) > 0 && p.HoldsPath(p.Dir, left) {
		return
	}
	for i, d := range f.found.Detections {
		if d.Framework == told.Framework && d.Dir == told.Dir && d.Rank < adapter.RankScript {
			javascript.Built(p, told)
			f.found.Detections[i] = *told
		}
	}
}

// selects are options that make a run of some of a suite's tests.
var selects = pattern.New(`^(?:-k|-m|-run|-skip|-short|-t|-g|-f|--(?:deselect|ignore|ignore-glob|exclude|onlyChanged|onlyFailures|changed|changedSince|shard|project|selectProjects|testNamePattern|testPathPatterns?|testPathIgnorePatterns|grep|fgrep|last-failed|lf|test-name-pattern|lib|bins?|tests?))(?:=|$)`)

// installs reports whether a command gets what a run here has already.
func installs(l script.Leaf) bool {
	words := append([]string{l.Program}, l.Args...)
	switch {
	case slices.Contains(words, "venv"), l.Program == "virtualenv":
		return true
	case l.Class != script.Preparation:
		return false
	case l.Program == "go":
		return !slices.Contains(words, "build") && !slices.Contains(words, "generate")
	case l.Program == "cargo":
		return slices.Contains(words, "install") || slices.Contains(words, "fetch")
	}
	return installers[l.Program] && !slices.Contains(words, "build")
}

var installers = set("pip pip3 uv poetry pdm npm pnpm yarn bun bower")

// onlyStarts reports whether a script of a shell starts nothing but suites that were found.
func onlyStarts(f *finder, l script.Leaf) bool {
	name := script.First(l.Argv)
	if interpreters[l.Program] && len(l.Args) > 0 {
		name = l.Args[0]
	}
	text, ok := f.tree.Read(path.Join(l.Dir, name))
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if !ok || !l.Plain || !ofShell.Match(first) && path.Ext(name) != ".sh" {
		return false
	}
	if bytes.HasPrefix(first, []byte("#!")) {
		text = rest
	}
	starts := false
	for _, in := range f.follow(func(r *script.Reader) {
		r.Text(string(text), script.Spot{Dir: l.Dir, Source: name, Kind: script.Unknown}, nil)
	}) {
		_, same := runs(f, in, f.found.Detections)
		if starts = starts || same; !same && !installs(in) {
			return false
		}
	}
	return starts
}

var ofShell = pattern.New(`^#!.*\b(?:ba|da|z|k)?sh\b`)

// onlySuites reports whether what only a tool can read of its test target starts nothing but
// programs of suites that were found.
func onlySuites(f *finder, l script.Leaf) bool {
	programs := strings.Fields("echo printf mkdir rm true")
	for _, d := range f.found.Detections {
		if a, err := For(d.Framework); err == nil {
			programs = append(append(programs, a.Signs.Programs...), strings.Join(project.BareProgram(d.Program), " "))
		}
	}
	for _, own := range recipe.TestTargets {
		if !strings.HasPrefix(own.Command, l.Program+" ") {
			continue
		}
		data := text(f, l.Dir, own)
		lines, whole := []string{data}, true
		if l.Program == "make" {
			lines, whole = recipe.Makefile([]byte(data), nil).Raw("test")
		}
		other := func(line string) bool {
			return strings.TrimSpace(line) != "" && !slices.ContainsFunc(programs, func(p string) bool { return shell.Starts(line, p) })
		}
		return whole && !slices.ContainsFunc(lines, other)
	}
	return false
}

// Otherwise looks at what a command of a workflow runs that is not among what was found, or
// runs in another way. The repository's own workflow is not asked for the command where the
// repository itself tells how it is tested, but what it does besides is a part of the suite
// that nobody looked at: a program that nobody knows is a check, where it asks for nothing
// that is not here, and the rest is noted.
func (found Found) Otherwise(m project.Machine, absRoot, dir string, by Told) (Found, error) {
	root, f, dir, err := open(m, absRoot, dir)
	if err != nil {
		return Found{}, err
	}
	defer root.Close()
	leaves := f.follow(func(r *script.Reader) {
		r.Text(by.Line, script.Spot{Dir: dir, Source: by.Source, Kind: script.Unknown}, nil)
	})
	f.found = Found{Detections: found.Detections, Checks: slices.Clip(found.Checks)}
	for _, l := range leaves {
		_, same := runs(f, l, found.Detections)
		switch {
		case !l.Testing() || same:
		case l.Class != script.Unknown || by.Needs || by.Afar || l.Source == by.Source && byTools[l.Program]:
			f.note(by.Source+": "+l.Shown(), byWorkflow)
		case !onlyStarts(f, l):
			l.Script = cmp.Or(l.Script, by.Source)
			f.check(l, true)
		}
	}
	return Found{Checks: f.found.Checks[len(found.Checks):], Notes: f.found.Notes, Read: f.read()}, nil
}

// byTools are programs of which only the files that they read tell what they run.
var byTools = set("make gmake just task tox nox hatch npm pnpm yarn bun turbo nx lerna mvn gradle")

const (
	byMake     = "its target test runs it, and the tests were run in another way; set test-command: make test"
	byTool     = "only that tool can read what it runs, and the tests were run in another way; set test-command: "
	byWorkflow = "the workflow runs it so, and the tests were run in another way; name it in test-command"
)
