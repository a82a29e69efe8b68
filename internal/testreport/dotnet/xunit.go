package dotnet

import (
	"bufio"
	"cmp"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testreport/xmldoc"
)

// The XML of xUnit.net 2 and 3 (https://xunit.net/docs/format-xml-v2): assemblies
// of collections of tests, with errors that are of no test.

func IsXUnit(head []byte) bool {
	return xmldoc.RootIs(head, "assemblies", "<assembly", "timestamp", "schema-version") || xmldoc.RootIs(head, "assembly", "test-framework", "<collection", "run-date")
}

type xunitRun struct {
	xmldoc.Document
	test    *qa.Case
	where   string // the assembly
	failure string // of an error outside of tests
	outside bool
	failed  int
}

func ReadXUnit(r *bufio.Reader, c *collect.Collector) error {
	x := &xunitRun{Document: xmldoc.Document{C: c}}
	if err := x.Walk(r, "assemblies assembly", x.start, x.stop); err != nil {
		return err
	}
	listed(c, x.failed)
	return nil
}

// listed holds what a report claims against what is in it.
func listed(c *collect.Collector, failed int) {
	if tally := c.Suite.Tally(); failed > 0 && tally.Failed+tally.Errors == 0 && len(c.Suite.Problems) == 0 {
		c.Problem("crash", c.Report, "the report claims failed tests and lists none of them")
	}
}

func (x *xunitRun) start(tag string) error {
	switch tag {
	case "assembly":
		x.where = x.Attr("name")
		x.where = x.where[strings.LastIndexAny(x.where, `/\`)+1:]
		x.failed += max(x.Count("failed"), 0) + max(x.Count("errors"), 0)
	case "error":
		x.outside, x.failure = true, collect.JoinText(x.Attr("type"), x.Attr("name"))
	case "test":
		x.begin()
	case "message":
		switch text := x.Text(collect.MaxMessage); {
		case x.test != nil && x.test.Message == "":
			x.test.Message = text
		case x.outside:
			x.failure = collect.JoinText(x.failure, text)
		}
	case "reason":
		if x.test != nil {
			x.test.Message = x.Text(collect.MaxMessage)
		}
	case "stack-trace":
		if x.test != nil {
			x.test.Output = x.Text(collect.MaxOutput)
			file, line := x.Framed(x.test.Output)
			if x.test.File == "" {
				x.test.File, x.test.Line = file, line
			}
		}
	}
	return nil
}

func (x *xunitRun) begin() {
	t := &qa.Case{Suite: x.Attr("type"), Name: x.Attr("name")}
	if rest, ok := strings.CutPrefix(t.Name, t.Suite+"."); ok && t.Suite != "" {
		t.Name = rest
	}
	t.Seconds, _ = x.Seconds("time")
	if file := x.Attr("source-file"); file != "" {
		t.File = x.C.Place(file)
		t.Line = max(x.Count("source-line"), 0)
	}
	switch x.Attr("result") {
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
			t.Message = cmp.Or(collect.Heading(t.Output, 3), "failed without a message")
		}
		return x.C.Add(*t, 0)
	case tag == "error" && x.outside:
		x.outside = false
		x.C.Problem("setup", x.where, x.failure)
	}
	return nil
}
