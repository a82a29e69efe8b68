package testreport

import (
	"os"
	"path/filepath"
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

// A module is often named as its only test: that is no title in the place of a class.
func TestModuleNamedAsItsTest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	report := filepath.Join(dir, "r.xml")
	const text = `<testsuites><testsuite name="pytest" tests="1"><testcase classname="test_add" name="test_add" file="test_add.py" line="2"/></testsuite></testsuites>`
	for name, content := range map[string]string{"r.xml": text, "test_add.py": "def test_add():\n    pass\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Read([]string{report}, Options{Root: dir})
	if err != nil || len(s.Cases) != 1 || s.Cases[0].ID() != "test_add.py > test_add" {
		t.Errorf("%v, %+v", err, s.Cases)
	}
}

// What kept a module of pytest from being collected begins with the name of the error, also
// where what it says goes on below.
func TestWhatKeptAModuleFromBeingCollected(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"a.py:1: in &lt;module&gt;\n    import b\nE   ModuleNotFoundError: No module named 'b'":                                                                     "ModuleNotFoundError: No module named 'b'",
		"a.py:9: in f\nE   pytest.PytestRemovedIn10Warning: Passing an iterable is deprecated.\nE   Please convert to a list.\nE   See https://docs.pytest.example": "pytest.PytestRemovedIn10Warning: Passing an iterable is deprecated.",
		"E     File \"a.py\", line 2\nE       x =\nE          ^\nE   SyntaxError: invalid syntax":                                                                   "SyntaxError: invalid syntax",
		"E   fixture 'x' not found\nE   nothing of that kind":                                                                                                       "nothing of that kind",
	} {
		text := `<testsuite name="pytest"><testcase classname="" name="tests.test_a"><error message="collection failure">` + said + `</error></testcase><testcase classname="tests.test_b" name="test_b"/></testsuite>`
		suite, err := ReadFrom(strings.NewReader(text), "r.xml", Options{})
		if err != nil || len(suite.Problems) != 1 || !strings.HasPrefix(suite.Problems[0].Message, want+"\n") {
			t.Errorf("%q gives %+v, want %q: %v", said, suite.Problems, want, err)
		}
	}
}
