package dotnet

import (
	"bufio"
	"cmp"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testreport/xmldoc"
)

// TRX, as "dotnet test --logger trx" and vstest write it: results first, then the
// definitions that tell the classes.

func IsTRX(head []byte) bool {
	return xmldoc.RootIs(head, "TestRun", "TeamTest/2010", "<Results", "<TestSettings", "<Times")
}

type trxRun struct {
	xmldoc.Document
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

func ReadTRX(r *bufio.Reader, c *collect.Collector) error {
	t := &trxRun{Document: xmldoc.Document{C: c}, ids: map[string]string{}, failed: -1}
	err := t.Walk(r, "TestRun", t.start, t.stop)
	for i := range t.results {
		one := t.results[i]
		one.Suite = t.ids[one.id]
		if method, ok := strings.CutPrefix(one.Name, one.Suite+"."); ok && one.Suite != "" {
			one.Name = method
		} else if one.Suite == "" {
			one.Suite, one.Name = xmldoc.SplitMethod(one.Name)
		}
		if full := c.Add(one.Case, 0); full != nil {
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
		one := &trxResult{id: t.Attr("testId")}
		one.Name = t.Attr("testName")
		value, _ := t.S.Attr("duration")
		one.Seconds = xmldoc.Span(string(value))
		if one.Status = trxStatus(t.Attr("outcome")); one.Status == qa.Errored {
			one.Message = "ended as " + cmp.Or(t.Attr("outcome"), "nothing that is said")
		}
		t.open = append(t.open, one)
	case "Message":
		if n := len(t.open); n > 0 {
			t.open[n-1].Message = t.Text(collect.MaxMessage)
		}
	case "StackTrace":
		if n := len(t.open); n > 0 {
			one := t.open[n-1]
			one.Output = t.Text(collect.MaxOutput)
			one.File, one.Line = t.Framed(one.Output)
		}
	case "UnitTest":
		t.id = t.Attr("id")
	case "TestMethod":
		if !t.C.Room.Fits(collect.OfCases, len(t.ids)) {
			return t.C.Room.Err
		}
		class, _, _ := strings.Cut(t.Attr("className"), ",") // an assembly may follow
		t.ids[t.id] = class
	case "ResultSummary":
		t.outcome = t.Attr("outcome")
	case "Counters":
		t.failed = max(t.Count("failed"), 0) + max(t.Count("error"), 0) + max(t.Count("timeout"), 0) + max(t.Count("aborted"), 0)
	case "RunInfo":
		t.inInfo = t.Attr("outcome") == "Error" || t.Attr("outcome") == "Failed"
	case "Text":
		if text := t.Text(collect.MaxMessage); t.inInfo && len(t.info) < 20 {
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
		one.Message = collect.Heading(one.Output, 3)
	}
	if !one.Status.Bad() {
		one.Output = ""
	}
	if !t.C.Room.Fits(collect.OfCases, len(t.results)) {
		return t.C.Room.Err
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
	tally := t.C.Suite.Tally()
	bad := tally.Failed + tally.Errors
	if t.failed > 0 && bad == 0 {
		t.C.Problem("crash", t.C.Report, "the report claims failed tests and lists none of them")
	}
	aborted := t.outcome == "Aborted" || t.outcome == "Error" || t.outcome == "Timeout" || t.outcome == "Disconnected"
	if aborted || len(t.info) > 0 && bad == 0 && (t.outcome == "Failed" || t.outcome == "") {
		t.C.Problem("crash", t.C.Report, collect.JoinText("the run ended as "+cmp.Or(t.outcome, "unknown"), strings.Join(t.info, "\n")))
	}
}
