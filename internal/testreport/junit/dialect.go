package junit

import (
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testreport/gotest"
)

// dialect learns from the name of a suite element who wrote the report, as far
// as that changes what a repeated name means.
func (j *junitRun) dialect(suite string) {
	switch suite {
	case "jest tests", "vitest tests", "Mocha Tests", "unittest": // one entry however many attempts
		j.C.Repeat = collect.AreTwins
	case "pytest", "pytest tests":
		j.C.Repeat = collect.AreParts
	case "bun test":
		j.bun = len(j.suites) == 0
		j.C.Repeat = collect.AreTwins
	case "deno test":
		j.deno = len(j.suites) == 0
		j.C.Repeat = collect.AreTwins
	}
}

// stepsFailed is why a test of deno failed that did not fail by itself.
var stepsFailed = pattern.New(`^\d+ test steps? failed$`)

// steps brings what deno wrote into the shape of the others: what has steps is no
// test, unless it failed by itself, and a test of node:test, which deno places in a
// module of its own, is where the suite around it is.
func (j *junitRun) steps(f *junitSuite) {
	cases := j.C.Suite.Cases[f.first:]
	places := map[string]string{} // by the first title; "" is more than one
	for _, c := range cases {
		if at, known := places[c.Name]; c.File != "" && (!known || at == c.File) {
			places[c.Name] = c.File
		} else if c.File != "" {
			places[c.Name] = ""
		}
	}
	around := map[string]bool{}
	for i := range cases {
		top, _, step := strings.Cut(cases[i].Name, " > ")
		if cases[i].File == "" && step {
			cases[i].File = places[top]
		}
		for at := range cases[i].Name {
			if strings.HasPrefix(cases[i].Name[at:], " > ") {
				around[cases[i].File+"\x00"+cases[i].Name[:at]] = true
			}
		}
	}
	leaf := make([]bool, len(cases))
	for i := range cases {
		c := &cases[i]
		leaf[i] = !around[c.File+"\x00"+c.Name] || c.Status.Bad() && !stepsFailed.MatchString(c.Message)
		if at := strings.LastIndex(c.Name, " > "); at > 0 {
			c.Suite, c.Name = c.Name[:at], c.Name[at+len(" > "):]
		}
	}
	j.C.Keep(f.first, f.scope, leaf)
}

// named gives a test of bun or deno its name; done where it is none: a hook of bun
// that failed stands for what it kept from running.
func (j *junitRun) named(t *junitCase, name string) (done bool) {
	switch {
	case j.bun:
		j.nested(t)
		if t.Status.Bad() && name == "(unnamed)" && t.Line == 0 {
			j.C.Problem("hook", t.File, collect.JoinText(t.Message, t.Output))
			return true
		}
	case j.deno:
		t.Suite, t.Name = "", name
	}
	return false
}

// denoFile is the file of a test of deno; one of node:test is placed in a module of
// deno's own.
func (j *junitRun) denoFile(t *junitCase, file string) string {
	switch {
	case !j.deno:
		return file
	case strings.HasPrefix(t.class, "ext:"):
		t.Line = 0
		return ""
	}
	return strings.TrimPrefix(file, "./")
}

// nested names a test of bun by the suites around it: the class that bun writes has
// them the other way round.
func (j *junitRun) nested(t *junitCase) {
	titles := each.Of(j.suites[min(2, len(j.suites)):], func(s *junitSuite) string { return s.name })
	t.Suite = strings.Join(titles, " > ")
}

// titles splits what vitest ("a > b" in a file) and mocha-junit-reporter (the
// full title, with the last one as class) write in one name, so that a test has
// the same name as in the JSON reports of the same runners.
func (t *junitCase) titles(suite string) {
	if suite == t.class && looksLikeFile(suite) {
		if i := strings.LastIndex(t.Name, " > "); i > 0 {
			t.Suite, t.Name = t.Name[:i], t.Name[i+len(" > "):]
		} else {
			t.Suite = ""
		}
		return
	}
	if before, ok := strings.CutSuffix(t.Name, " "+t.class); ok && t.class != "" {
		t.Suite, t.Name = before, t.class
		return
	}
	if t.Suite = suiteName(t.class, t.Name, suite); t.class != "" && strings.HasSuffix(t.File, ".py") {
		t.Suite = t.class // a module is often named as its only test
	}
}

// suiteName picks what says most about where a test belongs: its class, unless
// the writer put the test's own title there.
func suiteName(class, name, suite string) string {
	if class == "" || suite != "" && (class == name || strings.HasSuffix(class, " "+name)) {
		return suite
	}
	return class
}

// golang brings a suite that gotestsum or another converter made of go test's
// events into the shape of [readGotest]: parents are no tests, and the failed
// "TestMain" that stands for a package is a problem.
func (j *junitRun) golang(f *junitSuite) {
	cases := j.C.Suite.Cases[f.first:]
	leaf := gotest.GoLeaves(len(cases), func(i int) (string, qa.Status) { return cases[i].Name, cases[i].Status })
	for i := range cases {
		t := &cases[i]
		switch {
		case !leaf[i]:
		case t.Name == "TestMain" && t.Status.Bad():
			j.C.Problem(gotest.PackageFailure(t.Output), f.name, gotest.WithoutMarks(t.Output))
			leaf[i] = false
		case t.Status == qa.Skipped:
			t.Message = gotest.Dedent(gotest.WithoutMarks(t.Message))
		case t.Message == "Failed":
			t.Output = gotest.WithoutMarks(t.Output)
			t.Message = gotest.GoMessage(t.Output)
			if file, line := gotest.GoLocation(t.Output); line > 0 {
				if rel, ok := j.C.Places.GoFile(t.Suite, file); ok {
					t.File, t.Line = rel, line
				}
			}
		}
	}
	j.C.Keep(f.first, f.scope, leaf)
}

// looksLikeFile reports suite names that are paths of source files.
func looksLikeFile(name string) bool {
	if strings.ContainsAny(name, " \t") {
		return false
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 {
		return false
	}
	switch name[dot:] {
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".py", ".rb", ".php", ".dart", ".feature", ".vue", ".svelte":
		return true
	}
	return false
}
