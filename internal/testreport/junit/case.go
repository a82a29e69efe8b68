package junit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/xmlscan"
)

// junitCase is one <testcase> while it is read.
type junitCase struct {
	qa.Case
	class                            string
	failures, errors, skipped        int
	flaky, reruns                    int
	status                           string // status or result attribute
	collection                       bool   // pytest: the module could not be collected
	messages, outputs, logs, retries []string
	names                            []string // of what failed
}

// subtest is how the plugin and the runner of ours for Python begin the message of a
// subtest.
var subtest = pattern.New(`^subtest (.+?): `)

// subtests is what pytest says of a test because a subtest of it failed.
var subtests = pattern.New(`^contains \d+ failed subtests?$`)

// named notes one more failure, by its name where it has one.
func (t *junitCase) named(message string) {
	name := ""
	if subtests.MatchString(message) {
		return
	}
	if m := subtest.FindStringSubmatch(message); m != nil {
		name = collect.CleanName([]byte(m[1]))
	}
	if len(t.names) < collect.MaxFailures {
		t.names = append(t.names, name)
	}
}

// testcase reads the element whose Start was just read, to its end.
func (j *junitRun) testcase() error {
	f := j.suites[len(j.suites)-1]
	t := junitCase{class: j.Attr("classname")}
	t.class = cmp.Or(t.class, j.Attr("class"))
	t.Name = j.Attr("name")
	t.status = strings.ToLower(j.Attr("status"))
	if result := strings.ToLower(j.Attr("result")); result != "" && result != "completed" {
		t.status = result
	}
	file := cmp.Or(j.Attr("file"), f.file)
	t.Seconds, _ = j.Seconds("time")
	for _, key := range []string{"line", "lineno"} {
		if value, ok := j.S.Attr(key); ok && t.Line == 0 && len(value) < 10 {
			line, _ := strconv.ParseUint(string(value), 10, 31) // what is no line is none
			t.Line = int(line)
			if j.C.Repeat == collect.AreParts {
				t.Line++ // pytest counts from 0
			}
		}
	}
	for depth := j.S.Depth(); j.S.Next(); {
		if j.S.Kind() == xmlscan.End && j.S.Depth() < depth {
			break
		}
		if j.S.Kind() == xmlscan.Start {
			j.outcome(&t, string(j.S.Name()))
		}
	}
	if j.S.Err() != nil && t.failures+t.errors+t.reruns == 0 {
		return nil // cut off inside: its outcome is not known
	}
	return j.keep(f, &t, file)
}

// outcome reads one child of a testcase.
func (j *junitRun) outcome(t *junitCase, tag string) {
	switch tag {
	case "failure":
		t.failures++
		t.named(t.tell(j, &t.outputs))
	case "error":
		t.errors++
		t.named(t.tell(j, &t.outputs))
	case "skipped", "ignored", "disabled":
		t.skipped++
		t.tell(j, &t.logs)
	case "flakyFailure", "flakyError":
		t.flaky++
		t.tell(j, &t.retries)
	case "rerunFailure", "rerunError":
		t.reruns++
		t.tell(j, &t.retries)
	case "warning": // PHPUnit: the test passed, something about it is odd
		message := j.Prose("message", collect.MaxMessage)
		if text := j.Text(collect.MaxMessage); message == "" {
			message = text
		}
		j.C.Warnf("test %q: %s", t.Name, collect.FirstLine(message))
	case "system-out", "system-err":
		if len(t.logs) < 4 {
			if text := j.Text(collect.MaxOutput); text != "" {
				t.logs = append(t.logs, text)
			}
			return
		}
		j.S.Skip()
	default:
		j.S.Skip()
	}
}

// tell takes message and text of an outcome.
func (t *junitCase) tell(j *junitRun, to *[]string) string {
	message := j.Prose("message", collect.MaxMessage)
	if kind := j.Prose("type", collect.MaxName); message == "" && strings.Contains(kind, ".") && !strings.HasPrefix(kind, "pytest.") {
		message = kind
	}
	if t.class == "" && message == "collection failure" {
		t.collection = true
	}
	text := j.Text(collect.MaxOutput)
	if message == "" {
		message = collect.Heading(text, 3)
	}
	if len(t.messages) < 100 && message != "" {
		t.messages = append(t.messages, message)
	}
	if len(*to) < 100 && text != "" {
		*to = append(*to, text)
	}
	return message
}

// judge decides the status: by elements first, by the attribute only where no
// element says anything.
func (t *junitCase) judge() qa.Status {
	switch {
	case t.failures > 0:
		return qa.Failed
	case t.errors > 0:
		return qa.Errored
	case t.reruns > 0:
		return qa.Failed
	case t.flaky > 0:
		return qa.Flaky
	case t.skipped > 0:
		return qa.Skipped
	}
	switch t.status {
	case "notrun", "not-run", "disabled", "skipped", "ignored", "pending", "todo", "suppressed":
		return qa.Skipped
	case "failed", "failure", "fail":
		return qa.Failed
	case "error", "errored", "aborted", "timeout", "timedout", "killed", "crashed":
		return qa.Errored
	}
	return qa.Passed
}

// keep counts the case and hands it over.
func (j *junitRun) keep(f *junitSuite, t *junitCase, file string) error {
	t.Status = t.judge()
	f.own.tests++
	switch t.Status {
	case qa.Failed:
		f.own.failures++
	case qa.Errored:
		f.own.errors++
	case qa.Skipped:
		f.own.skipped++
	}
	if t.flaky+t.reruns > 0 {
		t.Attempts = 1 + t.flaky + t.reruns
	}
	if t.Status.Bad() {
		t.Failures = collect.Several(t.names)
	}
	if t.Status != qa.Passed {
		t.Message = collect.Clip(strings.Join(slices.Compact(t.messages), "\n"), collect.MaxMessage)
	}
	if t.Status.Bad() || t.Status == qa.Flaky {
		t.Output = collect.Clip(strings.Join(append(append(t.outputs, t.retries...), t.logs...), "\n"), collect.MaxOutput)
	}
	if file == "" && looksLikeFile(t.class) {
		file = t.class
	}
	if file == "" {
		file = PythonModule(j.C.Places, t.class)
	}
	file = j.denoFile(t, file)
	t.File = j.C.Place(file)
	name := t.Name
	t.titles(f.name)
	if j.named(t, name) {
		return nil
	}
	Python(j.C.Places, &t.Case)
	if t.Line == 0 && t.Status.Bad() && file != "" {
		t.Line = collect.LineIn(t.Output, file)
	}
	if t.Status.Bad() && j.outside(f, t, name) {
		return nil
	}
	return j.C.Add(t.Case, f.scope)
}

// outside takes what is no test, but failed around some: a module, a class, pytest.
func (j *junitRun) outside(f *junitSuite, t *junitCase, name string) bool {
	switch {
	case t.collection || name == f.name && looksLikeFile(name):
		where := name
		if at := PythonModule(j.C.Places, name); at != "" {
			where = at
		} else if t.File != "" {
			where = t.File
		}
		message := t.Message
		if t.collection {
			message = cause(t.Output)
		}
		j.C.Problem("collect", where, message)
	case t.errors > 0 && t.class == "pytest" && name == "internal" && t.File == "":
		j.C.Problem(qa.OutsideTests, "pytest", "internal error of pytest: "+raised(t.Output))
	case name == "": // surefire: the class could not be set up
		j.C.Problem("setup", t.Suite, collect.JoinText(t.Message, t.Output))
	default:
		return false
	}
	return true
}

// cause puts the last line that pytest marks as the error before the traceback, and of one that
// goes on over several lines the one with its name: messages are cut at their end.
func cause(traceback string) string {
	last := ""
	for _, l := range slices.Backward(strings.Split(traceback, "\n")) {
		said, ok := strings.CutPrefix(l, "E   ")
		if !ok {
			continue
		}
		if last = cmp.Or(last, said); errorLine.MatchString(strings.TrimSpace(said)) {
			last = said
			break
		}
	}
	if last == "" {
		return traceback
	}
	return strings.TrimSpace(last) + "\n" + traceback
}

// PythonModule finds the file of "tests.test_a.TestClass"; empty when it is
// not one of the repository.
func PythonModule(p *collect.Places, class string) string {
	if p.Tree == nil || class == "" {
		return ""
	}
	if at, ok := p.Modules[class]; ok {
		return at
	}
	parts := strings.Split(class, ".")
	p.Modules[class] = ""
	for n := min(len(parts), 32); n > 0; n-- {
		if at := p.Local(strings.Join(parts[:n], "/") + ".py"); at != "" {
			p.Modules[class] = at
			break
		}
	}
	return p.Modules[class]
}

// raised puts the last line of a traceback that names an error before all of it.
func raised(traceback string) string {
	for _, l := range slices.Backward(strings.Split(traceback, "\n")) {
		if errorLine.MatchString(l) {
			return strings.TrimSpace(l) + "\n" + traceback
		}
	}
	return traceback
}

var errorLine = pattern.New(`^[\w.]+(?:Error|Exception|Warning|Exit|Interrupt): \S`)
