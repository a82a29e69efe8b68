package qa

import (
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/wording"
)

// Status is the outcome of one test.
type Status string

// The test statuses. Errored is a test that could not be judged (setup, crash);
// Flaky passed in at least one attempt and failed in another. NotRun and
// BuildFailed occur only when the same test is looked at on another commit.
const (
	Passed      Status = "passed"
	Failed      Status = "failed"
	Errored     Status = "error"
	Skipped     Status = "skipped"
	Flaky       Status = "flaky"
	NotRun      Status = "not-run"
	BuildFailed Status = "build-failed"
)

// Bad reports whether the status stands for a test that did not do its job.
func (s Status) Bad() bool { return s == Failed || s == Errored }

// Case is one test: a leaf, never a parent that only holds sub-tests.
type Case struct {
	Suite    string  `json:"suite"`
	Name     string  `json:"name"`
	File     string  `json:"file,omitempty"`
	Line     int     `json:"line,omitempty"`
	Status   Status  `json:"status"`
	Seconds  float64 `json:"duration_seconds"`
	Message  string  `json:"message,omitempty"` // first line(s) of the failure
	Output   string  `json:"output,omitempty"`  // stack or log, bounded
	Attempts int     `json:"attempts,omitempty"`
	// Failures are what failed in it, where that is more than one thing or a subtest,
	// by its name; an assertion without a name is an empty one.
	Failures []string `json:"failures,omitempty"`
	// Raw is the name as the runner printed it, where Name is a normalised one;
	// it selects the test.
	Raw *RawName `json:"raw,omitempty"`
}

// FailedBeside are the failures of a failed test that it has not where it is was: more
// of them, or of other subtests. Two without a name are the same.
func (c Case) FailedBeside(was Case) []string {
	left := map[string]int{}
	for _, f := range was.failed() {
		left[Stable(f)]++
	}
	return each.Where(c.failed(), func(f string) bool {
		left[Stable(f)]--
		return left[Stable(f)] < 0
	})
}

func (c Case) failed() []string {
	if c.Status.Bad() && len(c.Failures) == 0 {
		return []string{""}
	}
	return c.Failures
}

// RawName is what a runner calls a test.
type RawName struct {
	Suite string `json:"suite"`
	Name  string `json:"name"`
}

// ID identifies a test across runs by file, suite and name: two files may both
// have "index > renders". A Go test is named by its package alone, since its
// file is known only when it fails.
func (c Case) ID() string {
	id := c.Name
	if c.Suite != "" {
		id = c.Suite + " > " + id
	}
	if c.File != "" && c.File != c.Suite && !strings.HasSuffix(c.File, "_test.go") {
		id = c.File + " > " + id
	}
	return id
}

// Suite is everything one or several test reports said.
type Suite struct {
	Cases []Case `json:"cases"`
	// Problems are failures outside any case: a package that does not build,
	// a file that cannot be collected, a runner that crashed.
	Problems []Problem `json:"problems,omitempty"`
	Warnings []string  `json:"warnings,omitempty"` // lying attributes, salvaged text
	Seconds  float64   `json:"duration_seconds"`
}

// Problem is a failure outside any test case.
type Problem struct {
	Kind    string `json:"kind"` // build, setup, collect, crash, [OutsideTests] or [FailedCheck]
	Where   string `json:"where"`
	Message string `json:"message"`
}

// OutsideTests is the kind of an error that is told by itself and stops nothing else,
// such as an unhandled rejection. A place can have several.
const OutsideTests = "error outside of tests"

// FailedCheck is the kind of a part of the test script that is no test, and fails.
const FailedCheck = "check"

// nameRunes is how much of such an error its name has, in characters.
const nameRunes = 160

var digits = pattern.New(`\d+`)

// Case is what stands among the failing tests for a problem.
func (p Problem) Case() Case {
	name := p.Kind
	if p.Kind == OutsideTests {
		first, _, _ := strings.Cut(p.Message, "\n")
		name += ": " + wording.Line(Stable(first), nameRunes)
	}
	return Case{Suite: p.Where, Name: "(" + name + ")", Status: Errored, Message: p.Message}
}

// Key identifies a problem across runs: by its place, which has one, and an error
// outside of tests by what it says first, too. Numbers in it may be times or lines.
func (p Problem) Key() string { return p.Kind + " " + digits.ReplaceAllString(p.Case().ID(), "0") }

// Failed reports whether a failing test is nothing but what stands for a problem.
func (f FailingTest) Failed(p Problem) bool {
	c := p.Case()
	return f.Case.Suite == c.Suite && f.Case.Name == c.Name
}

// Tally counts cases by status.
type Tally struct {
	Tests   int `json:"tests"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Errors  int `json:"errors"`
	Skipped int `json:"skipped"`
	Flaky   int `json:"flaky"`
}

// Plus adds two tallies up.
func (t Tally) Plus(o Tally) Tally {
	return Tally{Tests: t.Tests + o.Tests, Passed: t.Passed + o.Passed, Failed: t.Failed + o.Failed, Errors: t.Errors + o.Errors, Skipped: t.Skipped + o.Skipped, Flaky: t.Flaky + o.Flaky}
}

// Tally counts the suite's cases.
func (s Suite) Tally() Tally {
	var t Tally
	for _, c := range s.Cases {
		t.Tests++
		switch c.Status {
		case Passed:
			t.Passed++
		case Failed:
			t.Failed++
		case Skipped, NotRun:
			t.Skipped++
		case Flaky:
			t.Flaky++
		default:
			t.Errors++
		}
	}
	return t
}

// Executed is the number of tests that really ran.
func (t Tally) Executed() int { return t.Tests - t.Skipped }

// PassRate is passed and flaky over executed, 0..1; nil when nothing ran.
func (t Tally) PassRate() *float64 {
	if t.Executed() <= 0 {
		return nil
	}
	r := float64(t.Passed+t.Flaky) / float64(t.Executed())
	return &r
}

// ReportFile is a structured report that a test command writes. Format is a key
// of package testreport or coverage; empty means detection by content.
type ReportFile struct {
	Path   string `json:"path"` // absolute, or relative to the command's directory; may be a glob
	Format string `json:"format,omitempty"`
	// Stdout says the report is the command's standard output, not a file.
	Stdout bool `json:"stdout,omitempty"`
}

// Invocation is one test command as a framework adapter describes it. The
// executor runs it; the adapter never does.
type Invocation struct {
	Argv []string `json:"argv"`
	// Dir is relative to the repository root; empty is the root.
	Dir      string       `json:"dir,omitempty"`
	Env      []string     `json:"env,omitempty"` // added to the allow-listed environment, "K=V"
	Tests    []ReportFile `json:"tests"`
	Coverage []ReportFile `json:"coverage,omitempty"`
	// Files are to be written below the folder of the run's reports before it
	// starts: content by path.
	Files map[string]string `json:"files,omitempty"`
}
