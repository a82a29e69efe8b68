// Package ci reads what the workflows of a repository do to test it: which versions
// they set up, what they install and build first, which variables they set, which
// services they start, and the command that is the suite in its maintainers' eyes.
// It is pure: files in, facts out. Nothing is run, and of `uses:` nothing is looked
// into. Start at [Read].
package ci

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Folder is where workflows lie.
const Folder = ".github/workflows"

// What is read is bounded: a workflow is written by whoever wrote the commit.
const (
	maxFiles  = 40
	maxFile   = 512 << 10
	maxJobs   = 60
	maxSteps  = 150
	maxScript = 32 << 10
	maxRows   = 256
)

// A Variable is one of the environment, with the line that sets it.
type Variable struct{ Name, Value, Source string }

// Known reports whether the value is one that the file itself tells.
func (v Variable) Known() bool { return !strings.Contains(v.Value, unknown) }

// A Service is a container that a job starts beside its steps.
type Service struct {
	Name, Image, Source string
	Env                 []Variable
	Ports               []string // "5432:5432", as they stand there
}

// Kind is what a command is for.
type Kind string

// The kinds of commands. Only Install, Build and Test say how a suite is run; Outward
// ones act on something beyond the checkout, such as a registry or a server.
const (
	Install Kind = "install"
	System  Kind = "system" // packages of the machine
	Build   Kind = "build"
	Test    Kind = "test"
	Check   Kind = "check"
	Outward Kind = "outward"
	Other   Kind = "other"
)

// A Command is one of a step.
type Command struct {
	Kind   Kind
	Argv   []string // after the variables that stand before it
	Dir    string   // relative to the root
	Env    []Variable
	Source string // "tests.yml:31"
	// Certain says that the job runs exactly this: no condition, no value that only
	// the workflow's own run knows, no pipe, no shell of another kind.
	Certain bool
}

// A Job is one that runs tests.
type Job struct {
	File, Name string
	Line       int
	Env        []Variable // of workflow and job
	Services   []Service
	Commands   []Command
	// Rows are the tests of other rows of the matrix that this machine runs as well.
	Rows []Command
	// linux says that it runs where programs of this kind of machine do, container
	// that it runs in an image of its own, deploys that it has an environment of GitHub's.
	linux, container, deploys bool
}

// Unread is a workflow file of which nothing is known, and why.
type Unread struct{ File, Why string }

// Facts are what the workflows of one commit say.
type Facts struct {
	Jobs   []Job
	Unread []Unread
}

// Has tells the version of a language that this machine has, empty for none.
type Has func(language string) string

// Read reads workflow files by their paths from the root. Of a matrix the row counts
// that is nearest to what the machine has.
func Read(files map[string][]byte, has Has) Facts {
	var f Facts
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names[:min(len(names), maxFiles)] {
		if !IsWorkflow(name) {
			continue
		}
		jobs, why := readFile(name, files[name], has)
		if why != "" {
			f.Unread = append(f.Unread, Unread{name, why})
		}
		f.Jobs = append(f.Jobs, jobs...)
	}
	return f
}

// IsWorkflow reports whether a path is that of a workflow file.
func IsWorkflow(name string) bool {
	ext := path.Ext(name)
	return path.Dir(name) == Folder && (ext == ".yml" || ext == ".yaml")
}

// For is the job whose tests are those of a directory: the plainest of those that
// run in it, on a machine like this one. Where none does, it is what the jobs of the
// folders below say together.
func (f Facts) For(dir string) (Job, bool) {
	dir = path.Clean("./" + dir)
	if best := f.plainest(dir); best >= 0 {
		return f.Jobs[best], true
	}
	var all Job
	var of []int
	for _, at := range f.below(dir) {
		if i := f.plainest(at); !slices.Contains(of, i) {
			of = append(of, i)
			all = all.with(f.Jobs[i], at)
		}
	}
	return all, len(of) > 0
}

// plainest is the place of the plainest job with tests in a directory, -1 for none.
func (f Facts) plainest(dir string) int {
	best, score := -1, 0
	for i, j := range f.Jobs {
		if s, ok := j.suits(dir); ok && (best < 0 || s > score) {
			best, score = i, s
		}
	}
	return best
}

// below are the folders below a directory in which a job runs tests, sorted.
func (f Facts) below(dir string) []string {
	var out []string
	for _, j := range f.Jobs {
		for _, c := range j.Commands {
			if c.Kind == Test && c.Dir != dir && (dir == "." || strings.HasPrefix(c.Dir, dir+"/")) && !slices.Contains(out, c.Dir) {
				out = append(out, c.Dir)
			}
		}
	}
	slices.Sort(out)
	return out
}

// with adds what another job says of the folder of its tests. Of a variable to which
// the two give different values neither is known.
func (j Job) with(other Job, dir string) Job {
	if j.Name == "" {
		j.File, j.Line, j.linux, j.container = other.File, other.Line, other.linux, other.container
	}
	j.Name = strings.Trim(j.Name+", "+other.Name, ", ")
	j.Services = append(slices.Clone(j.Services), other.Services...)
	j.Commands = append(slices.Clone(j.Commands), other.Commands...)
	j.Rows = append(slices.Clone(j.Rows), other.Rows...)
	j.Env = slices.Clone(j.Env)
	for _, v := range other.Variables(dir) {
		switch i := slices.IndexFunc(j.Env, func(o Variable) bool { return o.Name == v.Name }); {
		case i < 0:
			j.Env = append(j.Env, v)
		case j.Env[i].Value != v.Value:
			j.Env[i].Value = unknown
		}
	}
	return j
}

// Words in the names of jobs and workflows that say what their tests are about.
var (
	plainNames  = []string{"test", "unit", "ci", "build", "check", "main"}
	aloofNames  = []string{"lint", "doc", "bench", "perf", "e2e", "nightly", "downstream", "publish", "release", "deploy", "codeql", "old", "min", "musl", "pypy", "integration", "canary", "browser", "fuzz", "windows", "macos", "type", "typing", "multiple"}
	unlikeHere  = 8
	certainTest = 4
)

// suits says how well a job speaks for the tests of a directory.
func (j Job) suits(dir string) (score int, ok bool) {
	at := j.firstTest()
	if at < 0 {
		return 0, false
	}
	for _, c := range j.Commands {
		if c.Kind == Test && c.Dir == dir {
			ok = true
			if c.Certain {
				score = certainTest
			}
		}
	}
	if !ok {
		return 0, false
	}
	name := strings.ToLower(path.Base(j.File) + " " + j.Name)
	for _, word := range plainNames {
		if strings.Contains(name, word) {
			score++
		}
	}
	for _, word := range aloofNames {
		if strings.Contains(name, word) {
			score -= 3
		}
	}
	if !j.linux {
		score -= unlikeHere
	}
	if j.container {
		score -= 2
	}
	return score, true
}

func (j Job) firstTest() int {
	return slices.IndexFunc(j.Commands, func(c Command) bool { return c.Kind == Test })
}

// Before are the commands of a kind that stand ahead of the last test of the job.
func (j Job) Before(kind Kind) []Command {
	last := 0
	for i, c := range j.Commands {
		if c.Kind == Test {
			last = i
		}
	}
	var out []Command
	for _, c := range j.Commands[:last] {
		if c.Kind == kind {
			out = append(out, c)
		}
	}
	return out
}

// Test is the command of the job that is the suite of a directory.
func (j Job) Test(dir string) (Command, bool) {
	dir = path.Clean("./" + dir)
	var found Command
	for _, c := range j.Commands {
		if c.Kind == Test && c.Dir == dir && (found.Kind == "" || c.Certain && !found.Certain) {
			found = c
		}
	}
	return found, found.Kind != ""
}

// Variables are those that the tests of a directory see and that may be set for them
// here; the later of one name wins.
func (j Job) Variables(dir string) []Variable {
	all := slices.Clone(j.Env)
	if c, ok := j.Test(dir); ok {
		all = append(all, c.Env...)
	}
	var out []Variable
	for i, v := range all {
		again := slices.ContainsFunc(all[i+1:], func(w Variable) bool { return w.Name == v.Name })
		if !again && Harmless(v.Name, v.Value) {
			out = append(out, v)
		}
	}
	return out
}

// installOptions are options without which a repository's own workflow does not install,
// as its package manager reads them from variables.
var installOptions = []struct{ program, option, variable string }{
	{"npm", "--legacy-peer-deps", "npm_config_legacy_peer_deps"},
	{"npm", "--force", "npm_config_force"},
	{"npm", "-f", "npm_config_force"},
	{"yarn", "--ignore-engines", "YARN_IGNORE_ENGINES"},
}

// Installing are the variables that have a package manager install as the job does.
func (j Job) Installing() []Variable {
	var out []Variable
	for _, c := range j.Before(Install) {
		for _, o := range installOptions {
			named := slices.ContainsFunc(out, func(v Variable) bool { return v.Name == o.variable })
			if c.Certain && !named && path.Base(c.Argv[0]) == o.program && slices.Contains(c.Argv[1:], o.option) {
				out = append(out, Variable{o.variable, "true", c.Source})
			}
		}
	}
	return out
}
