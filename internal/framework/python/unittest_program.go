package python

import (
	"path"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/pattern"
)

// runsUnittest is what a program has that hands its tests to unittest's runner: by a
// name of the module, or by one that it imports from it.
var runsUnittest = pattern.New(`(?m)\bunittest\.(?:main\s*\(|TextTestRunner\b)|^\s*from\s+unittest\s+import\s[^#\n]*\b(?:main|TextTestRunner)\b`)

// runsDjango is what a program has that hands its tests to Django's runner, which is one
// of unittest: by the command, by the class that the settings name, or by its own.
var (
	namesDjango = pattern.New(`(?m)^\s*(?:from|import)\s+django\b`)
	runsDjango  = pattern.New(`\bget_runner\s*\(|\bDiscoverRunner\b|\bcall_command\(\s*["']test["']`)
	givesDjango = pattern.New(`\bexecute_from_command_line\s*\(`)
	namesTest   = pattern.New(`["']test["']`)
)

// djangoTests reports whether a program has Django run tests; args are those that follow
// it. One that only hands its arguments on, as manage.py does, is told by them.
func djangoTests(data []byte, args []string) bool {
	if !namesDjango.Match(data) {
		return false
	}
	return runsDjango.Match(data) || givesDjango.Match(data) && (len(args) > 0 && args[0] == "test" || namesTest.Match(data))
}

// manage is the program of a Django project, and managedTest what its runner looks for.
const manage = "manage.py"

var managedTest = pattern.New(`^test.*\.py$`)

// managed reports whether Django runs the tests of a project that says nothing else: it
// has Django's own program and files of tests, and pytest, if it is there, is told
// nothing of Django.
func managed(p *project.Project) bool {
	data, ok := p.Read(path.Join(p.Dir, manage))
	if !ok || !namesDjango.Match(data) || !givesDjango.Match(data) || !p.Holds(p.Dir, managedTest.MatchString) {
		return false
	}
	if other := detectPytest(p); other != nil {
		py, _ := readPyproject(p)
		plugin, _ := requirement(p, "pytest-django", py)
		return plugin == "" && other.Rank <= adapter.RankDependency
	}
	return true
}

// nose2 finds tests in its own way and runs them as unittest does; the result that they
// are given tells of them in the same words.
const nose2 = "nose2"

// AsModule is a leaf that starts such a program by its name, as Python starts its module.
func AsModule(l script.Leaf) script.Leaf {
	if l.Plain && l.Program == nose2 {
		l.Program, l.Args = "python", append([]string{"-m", nose2}, l.Args...)
	}
	return l
}

// RunsUnittest reports whether a leaf starts a program of the repository, a file or
// a module, that runs its tests with unittest by itself, or by Django.
func RunsUnittest(p *project.Project, l script.Leaf) bool {
	if !l.Plain || !script.IsPython(l.Program) {
		return false
	}
	_, words := interpreterOptions(l.Args)
	var files, args []string
	switch {
	case len(words) > 2 && words[0] == "-m" && words[1] == "django":
		return words[2] == "test"
	case len(words) > 1 && words[0] == "-m" && words[1] == nose2:
		return true
	case len(words) > 1 && words[0] == "-m":
		args = words[2:]
		at := strings.ReplaceAll(words[1], ".", "/")
		files = []string{at + ".py", at + "/__main__.py", "src/" + at + ".py", "src/" + at + "/__main__.py"}
		within := path.Dir(at) + "/__init__.py" // which may have what the module only calls
		if data, ok := p.Read(path.Join(p.Dir, at+".py")); ok && strings.Contains(string(data), "import "+strings.ReplaceAll(path.Dir(at), "/", ".")+"\n") {
			files = append(files, within)
		}
	case len(words) > 0 && path.Ext(words[0]) == ".py":
		files, args = words[:1], words[1:]
	}
	for _, file := range files {
		if at := path.Join(p.Dir, file); !strings.HasPrefix(at, "..") && !path.IsAbs(file) {
			if data, ok := p.Read(at); ok && (runsUnittest.Match(data) || djangoTests(data, args)) {
				return true
			}
		}
	}
	return false
}

// mainOf is the call of such a program; nil when the detection is about none.
func mainOf(p *project.Project) *script.Leaf {
	for i, l := range p.Calls {
		if l.Framework == unittestName && RunsUnittest(p, l) {
			return &p.Calls[i]
		}
	}
	return nil
}

// interpreterOptions parts the arguments of Python into its own options and the
// program with what follows it.
func interpreterOptions(args []string) (options, program []string) {
	at := 0
	for at < len(args) && strings.HasPrefix(args[at], "-") && args[at] != "-m" && args[at] != "-c" {
		if at++; args[at-1] == "-W" || args[at-1] == "-X" {
			at = min(at+1, len(args))
		}
	}
	return args[:at], args[at:]
}
