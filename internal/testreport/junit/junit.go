// Package junit reads JUnit XML in the dialects that runners write.
package junit

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testreport/xmldoc"
	"github.com/org/qa-action/internal/xmlscan"
)

// JUnit XML has no specification, only writers. What they agree on: a tree of
// <testsuite> below an optional <testsuites>, and <testcase> leaves whose
// children tell the outcome. Read here are the dialects of surefire (with its
// flakyFailure and rerunFailure), gradle, pytest, jest-junit, vitest, mocha,
// gotestsum, PHPUnit, dotnet, bazel and googletest. An element that is not
// known is looked through, so that tests inside it are not lost.

func Is(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && head[0] == '<' && (bytes.Contains(head, []byte("<testsuite")) || bytes.Contains(head, []byte(":testsuite")))
}

// junitRun walks one document.
type junitRun struct {
	xmldoc.Document
	suites []*junitSuite // open <testsuites> and <testsuite> elements
	scope  int           // number of suite elements begun
	bun    bool          // suites are nested as the tests are, below one for each file
	deno   bool          // names are of steps within steps, each with an entry of its own
}

// junitSuite is one open suite element.
type junitSuite struct {
	name, file string
	depth      int // of the element
	line       int
	scope      int
	golang     bool // written from go test: parents have entries of their own
	seconds    float64
	timed      bool
	claim, has junitTotals // has counts everything below
	own        junitTotals // counts direct children
	reported   bool        // a suite below already told that its totals are off
	first      int         // index of the first case
}

// junitTotals are the numbers of a suite element; -1 is not claimed.
type junitTotals struct{ tests, failures, errors, skipped int }

func (t *junitTotals) plus(o junitTotals) {
	t.tests += o.tests
	t.failures += o.failures
	t.errors += o.errors
	t.skipped += o.skipped
}

func Read(r *bufio.Reader, c *collect.Collector) error {
	c.Repeat = collect.AreRetries
	if c.Failed {
		c.Repeat = collect.AreTwins
	}
	j := &junitRun{Document: xmldoc.New(r, c)}
	for j.S.Next() {
		if err := j.token(); err != nil {
			return err
		}
	}
	err := j.S.Err()
	for err != nil && len(j.suites) > 0 { // keep what was read
		j.closeSuite(false)
	}
	return j.Ended()
}

func (j *junitRun) token() error {
	switch j.S.Kind() {
	case xmlscan.Start:
		return j.start()
	case xmlscan.End:
		if n := len(j.suites); n > 0 && j.suites[n-1].depth > j.S.Depth() {
			j.closeSuite(true)
		}
	}
	return nil
}

func (j *junitRun) start() error {
	switch tag := j.S.Name(); string(tag) {
	case "testsuites", "testsuite":
		j.openSuite()
	case "testcase":
		if len(j.suites) == 0 {
			return j.notJUnit(tag)
		}
		return j.testcase()
	case "properties":
	case "property":
		if n := len(j.suites); n > 0 && j.Attr("name") == "go.version" {
			j.suites[n-1].golang = true
			j.C.Repeat = collect.AreAttempts
		}
		j.S.Skip()
	case "failure", "error":
		if len(j.suites) > 0 {
			j.suiteFailure(string(tag))
		}
	case "system-out", "system-err":
		j.suiteOutput()
	default:
		if len(j.suites) == 0 {
			return j.notJUnit(tag)
		}
	}
	return nil
}

func (j *junitRun) notJUnit(tag []byte) error {
	return &collect.Error{Line: j.S.Line(), Err: collect.ErrFormat, Want: "<testsuites> or <testsuite> as root", Got: "<" + collect.CleanName(tag) + ">"}
}

func (j *junitRun) openSuite() {
	j.scope++
	f := &junitSuite{depth: j.S.Depth(), line: j.S.Line(), scope: j.scope, first: len(j.C.Suite.Cases)}
	f.name = j.Attr("name")
	j.dialect(f.name)
	f.file = cmp.Or(j.Attr("file"), j.Attr("filepath"))
	if n := len(j.suites); f.file == "" && n > 0 {
		f.file = j.suites[n-1].file
	}
	if f.file == "" && looksLikeFile(f.name) {
		f.file = f.name
	}
	f.seconds, f.timed = j.Seconds("time")
	f.claim = junitTotals{j.Count("tests"), j.Count("failures"), j.Count("errors"), j.Count("skipped")}
	if f.claim.skipped < 0 {
		f.claim.skipped = j.Count("skip")
	}
	if disabled := j.Count("disabled"); disabled > 0 { // googletest counts them apart
		f.claim.skipped = max(f.claim.skipped, 0) + disabled
	}
	j.suites = append(j.suites, f)
}

// closeSuite ends the innermost suite; whole is false when the document broke
// off inside it.
func (j *junitRun) closeSuite(whole bool) {
	n := len(j.suites) - 1
	f := j.suites[n]
	j.suites = j.suites[:n]
	if whole {
		j.compare(f)
	}
	if f.golang {
		j.golang(f)
	}
	if j.deno && n == 0 {
		j.steps(f)
	}
	f.has.plus(f.own)
	if n == 0 {
		if f.timed {
			j.C.Suite.Seconds = f.seconds
		} else {
			j.C.Suite.Seconds += f.seconds
		}
		return
	}
	up := j.suites[n-1]
	up.has.plus(f.has)
	up.reported = up.reported || f.reported
	if !up.timed {
		up.seconds += f.seconds
	}
}

// compare warns where a suite claims other totals than it has. Writers count
// nested suites or do not; both are accepted.
func (j *junitRun) compare(f *junitSuite) {
	all := f.has
	all.plus(f.own)
	differs := func(claim, own, all int) bool { return claim >= 0 && claim != own && claim != all }
	tests := differs(f.claim.tests, f.own.tests, all.tests)
	badClaim := max(f.claim.failures, 0) + max(f.claim.errors, 0)
	bad := (f.claim.failures >= 0 || f.claim.errors >= 0) &&
		badClaim != f.own.failures+f.own.errors && badClaim != all.failures+all.errors
	skipped := differs(f.claim.skipped, f.own.skipped, all.skipped)
	if !tests && !bad && !skipped || f.reported {
		return
	}
	f.reported = true
	where := cmp.Or(f.name, "line "+strconv.Itoa(f.line))
	j.C.Warnf("suite %q claims %s; counted were %s", where, f.claim, all)
	if badClaim > 0 && all.failures+all.errors == 0 && (tests || all.tests == 0) {
		j.C.Problem("crash", where, fmt.Sprintf("the report claims %s and does not list the failed tests; %s are listed", f.claim, all))
	}
}

func (t junitTotals) String() string {
	text := ""
	for _, part := range []struct {
		n    int
		name string
	}{{t.tests, "tests"}, {t.failures, "failures"}, {t.errors, "errors"}, {t.skipped, "skipped"}} {
		if part.n >= 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.name)
		}
	}
	return strings.TrimPrefix(text, ", ")
}

// suiteFailure is a failure of a suite itself: it could not be set up.
func (j *junitRun) suiteFailure(tag string) {
	f := j.suites[len(j.suites)-1]
	message := j.Prose("message", collect.MaxMessage)
	text := j.Text(collect.MaxOutput)
	message = cmp.Or(message, text)
	if tag == "error" {
		f.own.errors++
	} else {
		f.own.failures++
	}
	where := cmp.Or(f.name, j.C.Report)
	j.C.Problem("crash", where, message)
}

// suiteOutput gives the log of a suite to its only case, when that is bad and
// silent: bazel writes it so.
func (j *junitRun) suiteOutput() {
	n := len(j.suites)
	if n == 0 {
		j.S.Skip()
		return
	}
	cases := j.C.Suite.Cases
	f := j.suites[n-1]
	if len(cases) == f.first+1 && cases[f.first].Status.Bad() && cases[f.first].Output == "" {
		cases[f.first].Output = j.Text(collect.MaxOutput)
		return
	}
	j.S.Skip()
}
