// Package junit writes junit.xml.
package junit

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/sink"
	"github.com/org/qa-action/internal/wording"
)

// Render writes junit.xml: every test of the repository that ran on head,
// the failures outside any test, and the generated tests. There is no standard;
// this is the shape of surefire's schema, with <flakyFailure> for a test that
// passed in a later attempt, and triage as a property of the test.
func Render(w io.Writer, r *qa.Report, _ sink.Options) error {
	root := junitRoot{Name: "qa-action", Time: seconds(r.Tests.Seconds)}
	index := map[string]int{}
	suite := func(name string) *junitSuite {
		i, ok := index[name]
		if !ok {
			i = len(root.Suites)
			index[name] = i
			root.Suites = append(root.Suites, junitSuite{Name: name})
		}
		return &root.Suites[i]
	}
	triage := map[string]qa.FailingTest{}
	for _, f := range r.Tests.Failing {
		triage[f.Case.ID()] = f
	}
	cases := slices.Clone(r.Tests.Cases)
	listed := map[string]bool{}
	for _, c := range cases {
		listed[c.ID()] = true
	}
	for _, f := range r.Tests.Failing { // a report may carry nothing but what failed
		if id := f.Case.ID(); !listed[id] {
			listed[id] = true
			cases = append(cases, f.Case)
		}
	}
	for _, c := range cases {
		t := junitOf(c)
		if f, ok := triage[c.ID()]; ok {
			t.Properties = &junitProperties{[]junitProperty{{"triage", string(f.Triage)}, {"base", string(f.Base)}}}
		}
		suite(cmp.Or(wording.Plain(c.Suite), cmp.Or(wording.Plain(c.File), "tests"))).add(t)
	}
	for _, p := range r.Tests.Problems {
		suite("failures outside any test").add(junitCase{Name: wording.Plain(p.Kind), Class: wording.Plain(p.Where), Time: seconds(0),
			Error: &junitOutcome{Message: wording.Line(p.Message, 500), Text: wording.Plain(p.Message)}})
	}
	for _, g := range r.Generated {
		suite("generated tests " + string(g.Layer)).add(junitOfGenerated(g))
	}
	for i := range root.Suites {
		root.count(&root.Suites[i])
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(root); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitRoot struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	seconds  float64
}

type junitCase struct {
	Class      string           `xml:"classname,attr"`
	Name       string           `xml:"name,attr"`
	File       string           `xml:"file,attr,omitempty"`
	Line       int              `xml:"line,attr,omitempty"`
	Time       string           `xml:"time,attr"`
	Properties *junitProperties `xml:"properties"`
	Skipped    *junitOutcome    `xml:"skipped"`
	Failure    *junitOutcome    `xml:"failure"`
	Error      *junitOutcome    `xml:"error"`
	Flaky      []junitOutcome   `xml:"flakyFailure"`
	seconds    float64
}

type junitProperties struct {
	Properties []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitOutcome struct {
	Message string `xml:"message,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func junitOf(c qa.Case) junitCase {
	t := junitCase{Class: wording.Plain(c.Suite), Name: wording.Plain(c.Name), File: wording.Plain(c.File), Line: c.Line, Time: seconds(c.Seconds), seconds: c.Seconds}
	outcome := junitOutcome{Message: wording.Plain(c.Message), Text: wording.Plain(c.Output)}
	switch c.Status {
	case qa.Passed:
	case qa.Skipped, qa.NotRun:
		t.Skipped = &outcome
	case qa.Failed:
		t.Failure = &outcome
	case qa.Flaky:
		t.Flaky = slices.Repeat([]junitOutcome{outcome}, min(max(c.Attempts-1, 1), 10))
	default:
		t.Error = &outcome
	}
	return t
}

// junitOfGenerated shows a kept test by its outcome on head; a dropped one is
// skipped with the reason.
func junitOfGenerated(g qa.GeneratedTest) junitCase {
	c := qa.Case{Suite: g.Path, Name: g.Name, File: g.Path, Status: g.Head}
	if !g.Kept {
		c.Status, c.Message = qa.Skipped, strings.TrimSpace("dropped: "+g.Gate+" "+g.Reason)
	} else if c.Status != qa.Passed {
		c.Message = fmt.Sprintf("%s test: base %s, head %s (%s)", g.Lane, g.Base, g.Head, g.Class)
	}
	return junitOf(c)
}

func (s *junitSuite) add(t junitCase) {
	s.Cases = append(s.Cases, t)
	s.seconds += t.seconds
}

// count fills in the totals of a suite and adds them to the root's.
func (r *junitRoot) count(s *junitSuite) {
	s.Time = seconds(s.seconds)
	s.Tests = len(s.Cases)
	for _, t := range s.Cases {
		switch {
		case t.Failure != nil:
			s.Failures++
		case t.Error != nil:
			s.Errors++
		case t.Skipped != nil:
			s.Skipped++
		}
	}
	r.Tests += s.Tests
	r.Failures += s.Failures
	r.Errors += s.Errors
	r.Skipped += s.Skipped
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
