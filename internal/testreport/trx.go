package testreport

import (
	"bufio"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// TRX, as "dotnet test --logger trx" and vstest write it: results first, then the
// definitions that tell the classes.

func isTRX(head []byte) bool {
	return rootIs(head, "TestRun", "TeamTest/2010", "<Results", "<TestSettings", "<Times")
}

type trxRun struct {
	xmlRun
	open    []*trxResult
	results []trxResult
	ids     map[string]string // class by test id
	id      string            // of the definition being read
	outcome string            // of the whole run
	failed  int               // claimed, -1 when absent
	info    []string          // what the run says beside its tests
	inInfo  bool
}

type trxResult struct {
	qa.Case
	id     string
	inners int
	failed bool // one of those within
}

func readTRX(r *bufio.Reader, c *collector) error {
	t := &trxRun{xmlRun: xmlRun{c: c}, ids: map[string]string{}, failed: -1}
	err := t.walk(r, "TestRun", t.start, t.stop)
	for i := range t.results {
		one := t.results[i]
		one.Suite = t.ids[one.id]
		if method, ok := strings.CutPrefix(one.Name, one.Suite+"."); ok && one.Suite != "" {
			one.Name = method
		} else if one.Suite == "" {
			one.Suite, one.Name = splitMethod(one.Name)
		}
		if full := c.add(one.Case, 0); full != nil {
			return full
		}
	}
	if err == nil {
		t.check()
	}
	return err
}

func (t *trxRun) start(tag string) error {
	switch tag {
	case "UnitTestResult", "TestResult", "GenericTestResult", "WebTestResult", "ManualTestResult":
		if n := len(t.open); n > 0 {
			t.open[n-1].inners++
		}
		one := &trxResult{id: t.attr("testId")}
		one.Name = t.attr("testName")
		value, _ := t.s.Attr("duration")
		one.Seconds = span(string(value))
		if one.Status = trxStatus(t.attr("outcome")); one.Status == qa.Errored {
			one.Message = "ended as " + or(t.attr("outcome"), "nothing that is said")
		}
		t.open = append(t.open, one)
	case "Message":
		if n := len(t.open); n > 0 {
			t.open[n-1].Message = t.text(maxMessage)
		}
	case "StackTrace":
		if n := len(t.open); n > 0 {
			one := t.open[n-1]
			one.Output = t.text(maxOutput)
			one.File, one.Line = t.framed(one.Output)
		}
	case "UnitTest":
		t.id = t.attr("id")
	case "TestMethod":
		if !t.c.room.fits(ofCases, len(t.ids)) {
			return t.c.room.err
		}
		class, _, _ := strings.Cut(t.attr("className"), ",") // an assembly may follow
		t.ids[t.id] = class
	case "ResultSummary":
		t.outcome = t.attr("outcome")
	case "Counters":
		t.failed = max(t.count("failed"), 0) + max(t.count("error"), 0) + max(t.count("timeout"), 0) + max(t.count("aborted"), 0)
	case "RunInfo":
		t.inInfo = t.attr("outcome") == "Error" || t.attr("outcome") == "Failed"
	case "Text":
		if text := t.text(maxMessage); t.inInfo && len(t.info) < 20 {
			t.info = append(t.info, text)
		}
	}
	return nil
}

func (t *trxRun) stop(tag string) error {
	if !strings.HasSuffix(tag, "TestResult") || len(t.open) == 0 {
		return nil
	}
	n := len(t.open) - 1
	one := t.open[n]
	t.open = t.open[:n]
	if n > 0 && (one.failed || one.Status.Bad()) {
		t.open[n-1].failed = true
	}
	if one.inners > 0 && (!one.Status.Bad() || one.failed || one.Message == "") {
		return nil // the sum of those within
	}
	if one.Status.Bad() && one.Message == "" {
		one.Message = heading(one.Output, 3)
	}
	if !one.Status.Bad() {
		one.Output = ""
	}
	if !t.c.room.fits(ofCases, len(t.results)) {
		return t.c.room.err
	}
	t.results = append(t.results, *one)
	return nil
}

// trxStatus: what was not judged is an error; a result without an outcome passed
// in reports of old tools and is none in others.
func trxStatus(outcome string) qa.Status {
	switch outcome {
	case "Passed", "PassedButRunAborted", "Completed", "Warning":
		return qa.Passed
	case "Failed":
		return qa.Failed
	case "NotExecuted", "NotRunnable", "Pending", "Inconclusive":
		return qa.Skipped
	}
	return qa.Errored
}

// check holds the tests against what the run says of itself.
func (t *trxRun) check() {
	tally := t.c.suite.Tally()
	bad := tally.Failed + tally.Errors
	if t.failed > 0 && bad == 0 {
		t.c.problem("crash", t.c.report, "the report claims failed tests and lists none of them")
	}
	aborted := t.outcome == "Aborted" || t.outcome == "Error" || t.outcome == "Timeout" || t.outcome == "Disconnected"
	if aborted || len(t.info) > 0 && bad == 0 && (t.outcome == "Failed" || t.outcome == "") {
		t.c.problem("crash", t.c.report, joinText("the run ended as "+or(t.outcome, "unknown"), strings.Join(t.info, "\n")))
	}
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
