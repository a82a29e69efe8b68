package testreport

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testreport/junit"
)

// TestPythonNames: one test has one name, whatever of its module the writer put
// before its classes.
func TestPythonNames(t *testing.T) {
	t.Parallel()
	p, err := collect.NewPlaces("", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ file, suite, want string }{
		{"tests/test_a.py", "tests.test_a", ""},
		{"svc/tests/test_a.py", "tests.test_a.TestB.TestC", "TestB.TestC"},
		{"tests/test_a.py", "test_a.TestB", "TestB"},
		{"tests/test_a.py", "TestB", "TestB"},
		{"tests/test_a.py", "prefix.tests.test_a", "prefix.tests.test_a"},
		{"tests/a.test.js", "tests.a", "tests.a"},
	} {
		c := qa.Case{File: tc.file, Suite: tc.suite, Name: "test_x"}
		junit.Python(p, &c)
		if c.Suite != tc.want || c.File != tc.file {
			t.Errorf("%s, %s: got %s, %s; want %s", tc.file, tc.suite, c.File, c.Suite, tc.want)
		}
	}
}

// A line before the first would be refused by whoever shows it.
func TestLineOfACase(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]int{"7": 7, "-5": 0, "+5": 0, "x": 0, "": 0, "99999999999": 0} {
		text := `<testsuite name="a"><testcase name="works" line="` + said + `"/></testsuite>`
		suite, err := ReadFrom(strings.NewReader(text), "r.xml", Options{})
		if err != nil || len(suite.Cases) != 1 || suite.Cases[0].Line != want {
			t.Errorf("%q gives %+v, want line %d: %v", said, suite.Cases, want, err)
		}
	}
}
