// Package dotnet reads the XML reports of test runners of .NET: TRX, NUnit and xUnit.net.
package dotnet

import (
	"bufio"
	"cmp"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testreport/xmldoc"
)

// NUnit's own reports: test-run of version 3, test-results of version 2.

func IsNUnit(head []byte) bool {
	return xmldoc.RootIs(head, "test-run", "<test-suite", "testcasecount", "engine-version") || xmldoc.RootIs(head, "test-results", "<test-suite", "<environment", "<culture-info")
}

type nunitRun struct {
	xmldoc.Document
	three  bool
	suites []nunitSuite
	test   *nunitTest
	failed int // claimed by the root, -1 when absent
}

type nunitSuite struct {
	name, result, site, message string
	bad                         int // failed tests below
}

type nunitTest struct {
	qa.Case
	message string
}

func ReadNUnit(r *bufio.Reader, c *collect.Collector) error {
	n := &nunitRun{Document: xmldoc.Document{C: c}, failed: -1}
	if err := n.Walk(r, "test-run test-results", n.start, n.stop); err != nil {
		return err
	}
	listed(c, n.failed)
	return nil
}

func (n *nunitRun) start(tag string) error {
	switch tag {
	case "test-run":
		n.three = true
		n.failed = n.Count("failed")
	case "test-results":
		n.failed = max(n.Count("failures"), 0) + max(n.Count("errors"), 0)
	case "test-suite":
		name := n.Attr("fullname")
		n.suites = append(n.suites, nunitSuite{name: cmp.Or(name, n.Attr("name")), result: n.Attr("result"), site: n.Attr("site")})
	case "test-case":
		n.begin()
	case "message":
		text := n.Text(collect.MaxMessage)
		switch last := len(n.suites) - 1; {
		case n.test != nil && n.test.message == "":
			n.test.message = text
		case n.test == nil && last >= 0:
			n.suites[last].message = collect.JoinText(n.suites[last].message, text)
		}
	case "stack-trace":
		if n.test != nil {
			n.test.Output = n.Text(collect.MaxOutput)
			n.test.File, n.test.Line = n.Framed(n.test.Output)
		}
	}
	return nil
}

func (n *nunitRun) begin() {
	t := &nunitTest{}
	name := n.Attr("name")
	if n.three {
		t.Suite, t.Name = n.Attr("classname"), name
		t.Seconds, _ = n.Seconds("duration")
		t.Status = nunitStatus(n.Attr("result"), n.Attr("label"))
		if t.Suite == "" {
			t.Suite, t.Name = xmldoc.SplitMethod(cmp.Or(n.Attr("fullname"), name))
		}
	} else {
		t.Suite, t.Name = xmldoc.SplitMethod(name)
		t.Seconds, _ = n.Seconds("time")
		t.Status = nunitStatus(n.Attr("result"), "")
		if n.Attr("result") == "" { // before 2.5
			t.Status = cmp.Or(map[string]qa.Status{"True": qa.Passed, "False": qa.Failed}[n.Attr("success")], qa.Skipped)
		}
	}
	n.test = t
}

// nunitStatus: a test that is not runnable is a fault of the test.
func nunitStatus(result, label string) qa.Status {
	switch result {
	case "Passed", "Success", "Warning":
		return qa.Passed
	case "Failed", "Failure":
		if label == "Error" || label == "Invalid" || label == "Cancelled" {
			return qa.Errored
		}
		return qa.Failed
	case "Skipped", "Ignored", "Inconclusive":
		return qa.Skipped
	}
	return qa.Errored // Error, NotRunnable, Cancelled
}

func (n *nunitRun) stop(tag string) error {
	last := len(n.suites) - 1
	switch {
	case tag == "test-case" && n.test != nil:
		t := n.test
		n.test = nil
		t.Message = t.message
		if t.Status == qa.Passed {
			t.Message, t.Output = "", ""
		}
		if t.Status.Bad() {
			if t.Message == "" {
				t.Message = cmp.Or(collect.Heading(t.Output, 3), "failed without a message")
			}
			if last >= 0 {
				n.suites[last].bad++
			}
		}
		return n.C.Add(t.Case, 0)
	case tag == "test-suite" && last >= 0:
		s := n.suites[last]
		n.suites = n.suites[:last]
		if last > 0 {
			n.suites[last-1].bad += s.bad
		}
		failed := strings.HasPrefix(s.result, "Fail") || s.result == "Error" || s.result == "NotRunnable"
		// What failed in the suite itself, and not in one below.
		if failed && s.site != "Child" && s.site != "Parent" && (s.bad == 0 || s.site == "TearDown") {
			n.C.Problem("setup", s.name, cmp.Or(s.message, "the suite failed and no test in it did"))
			if last > 0 {
				n.suites[last-1].bad++
			}
		}
	}
	return nil
}
