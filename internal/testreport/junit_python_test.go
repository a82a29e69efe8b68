package testreport

import (
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
