package testreport

import (
	"bufio"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// The XML of xUnit.net 2 and 3 (https://xunit.net/docs/format-xml-v2): assemblies
// of collections of tests, with errors that are of no test.

func isXUnit(head []byte) bool {
	return rootIs(head, "assemblies", "<assembly", "timestamp", "schema-version") || rootIs(head, "assembly", "test-framework", "<collection", "run-date")
}

type xunitRun struct {
	xmlRun
	test    *qa.Case
	method  string
	where   string // the assembly
	failure string // of an error outside of tests
	outside bool
	failed  int
}

func readXUnit(r *bufio.Reader, c *collector) error {
	x := &xunitRun{xmlRun: xmlRun{c: c}}
	if err := x.walk(r, "assemblies assembly", x.start, x.stop); err != nil {
		return err
	}
	if tally := c.suite.Tally(); x.failed > 0 && tally.Failed+tally.Errors == 0 && len(c.suite.Problems) == 0 {
		c.problem("crash", c.report, "the report claims failed tests and lists none of them")
	}
	return nil
}

func (x *xunitRun) start(tag string) error {
	switch tag {
	case "assembly":
		x.where = x.attr("name")
		x.where = x.where[strings.LastIndexAny(x.where, `/\`)+1:]
		x.failed += max(x.count("failed"), 0) + max(x.count("errors"), 0)
	case "error":
		x.outside, x.failure = true, joinText(x.attr("type"), x.attr("name"))
	case "test":
		x.begin()
	case "message":
		switch text := x.text(maxMessage); {
		case x.test != nil && x.test.Message == "":
			x.test.Message = text
		case x.outside:
			x.failure = joinText(x.failure, text)
		}
	case "reason":
		if x.test != nil {
			x.test.Message = x.text(maxMessage)
		}
	case "stack-trace":
		if x.test != nil {
			x.test.Output = x.text(maxOutput)
			file, line := x.framed(x.test.Output)
			if x.test.File == "" {
				x.test.File, x.test.Line = file, line
			}
		}
	}
	return nil
}

func (x *xunitRun) begin() {
	t := &qa.Case{Suite: x.attr("type"), Name: x.attr("name")}
	if rest, ok := strings.CutPrefix(t.Name, t.Suite+"."); ok && t.Suite != "" {
		t.Name = rest
	}
	t.Seconds, _ = x.seconds("time")
	if file := x.attr("source-file"); file != "" {
		t.File = x.c.place(file)
		t.Line = max(x.count("source-line"), 0)
	}
	switch x.attr("result") {
	case "Pass":
		t.Status = qa.Passed
	case "Fail":
		t.Status = qa.Failed
	case "Skip", "NotRun":
		t.Status = qa.Skipped
	default:
		t.Status = qa.Errored
	}
	x.test = t
}

func (x *xunitRun) stop(tag string) error {
	switch {
	case tag == "test" && x.test != nil:
		t := x.test
		x.test = nil
		if t.Status == qa.Passed {
			t.Message, t.Output = "", ""
		} else if t.Status.Bad() && t.Message == "" {
			t.Message = or(heading(t.Output, 3), "failed without a message")
		}
		return x.c.add(*t, 0)
	case tag == "error" && x.outside:
		x.outside = false
		x.c.problem("setup", x.where, x.failure)
	}
	return nil
}
