package testreport

import (
	"errors"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testreport/collect"
)

// TestBunTellsWhatItsReportLeavesOut: a file that does not load is a failure beside
// tests that pass, and output that ends before bun's last line is cut off.
func TestBunTellsWhatItsReportLeavesOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	junit, output := dir+"/junit.xml", dir+"/stdout"
	green := `<testsuites name="bun test" tests="1"><testsuite name="a.test.ts" file="a.test.ts" tests="1"><testcase name="works" file="a.test.ts" line="3"/></testsuite></testsuites>`
	assert.NilError(t, os.WriteFile(junit, []byte(green), 0o600))
	const broken = "\nb.test.ts:\n\n# Unhandled error between tests\n-------------------------------\nerror: Cannot find module './x'\n-------------------------------\n\n"
	for name, c := range map[string]struct {
		out      string
		problems int
		err      error
	}{
		"all load":             {"bun test v1.4.5\n\na.test.ts:\n(pass) works\n\n 1 pass\n 0 fail\nRan 1 test across 1 file. [1.00ms]\n", 0, nil},
		"one does not":         {"bun test v1.4.5\n" + broken + " 1 pass\n 1 fail\n 1 error\nRan 2 tests across 2 files. [1.00ms]\n", 1, nil},
		"one is only counted":  {"bun test v1.4.5\n 1 pass\n 1 fail\n 1 error\nRan 2 tests across 2 files. [1.00ms]\n", 1, nil},
		"a test ended it":      {"bun test v1.4.5\n\na.test.ts:\n(pass) works\n", 0, collect.ErrTruncated},
		"it ends in a failure": {"bun test v1.4.5\n" + broken[:strings.LastIndex(broken, "error")+9], 1, collect.ErrTruncated},
		"another program":      {"1 pass\n", 0, collect.ErrFormat},
	} {
		assert.NilError(t, os.WriteFile(output, []byte(c.out), 0o600))
		s, err := Read([]string{junit, output}, Options{})
		if c.err == nil && err != nil || !errors.Is(err, c.err) {
			t.Errorf("%s: error %v, want %v", name, err, c.err)
		}
		if len(s.Problems) != c.problems || len(s.Cases) != 1 || len(s.Warnings) > 0 {
			t.Errorf("%s: %d problems, %d cases, warnings %q", name, len(s.Problems), len(s.Cases), s.Warnings)
		}
	}
}

// TestGradleTellsWhatHasNoReport: a project that does not compile is a failure beside
// the tests of others, what cannot be downloaded says nothing of tests, and a build
// that somebody ended is cut off.
func TestGradleTellsWhatHasNoReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	junit, output := dir+"/junit.xml", dir+"/stdout"
	one := `<testsuite name="a.ATest" tests="1"><testcase name="old" classname="a.ATest"><failure message="as before"/></testcase></testsuite>`
	assert.NilError(t, os.WriteFile(junit, []byte(one), 0o600))
	wrong := func(what string) string {
		return "# gradle\n:a:test\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\n" + what + "\n\n* Try:\nRun with --stacktrace\n\nBUILD FAILED in 3s\n"
	}
	for name, c := range map[string]struct {
		out      string
		problems int
		err      error
	}{
		"built":               {"# gradle\n:a:test\n\nBUILD SUCCESSFUL in 3s\n", 0, nil},
		"one does not":        {wrong("Execution failed for task ':b:compileJava'.\n> Compilation failed; see the compiler error output for details."), 1, nil},
		"a process died":      {wrong("Execution failed for task ':b:test'.\n> Process 'Gradle Test Executor 1' finished with non-zero exit value 134"), 1, nil},
		"nothing to build on": {wrong("Could not resolve all files for configuration ':b:compileClasspath'."), 0, collect.ErrTruncated},
		"ended":               {"# gradle\n:a:test\n", 0, collect.ErrTruncated},
	} {
		assert.NilError(t, os.WriteFile(output, []byte(c.out), 0o600))
		s, err := Read([]string{junit, output}, Options{})
		if c.err == nil && err != nil || !errors.Is(err, c.err) {
			t.Errorf("%s: error %v, want %v", name, err, c.err)
		}
		if len(s.Problems) != c.problems || len(s.Cases) != 1 || len(s.Warnings) > 0 {
			t.Errorf("%s: %d problems, %d cases, warnings %q", name, len(s.Problems), len(s.Cases), s.Warnings)
		}
	}
}

// TestMavenTellsWhatItIgnored: what a build that goes on after failures says in a line
// alone is a failure beside the tests of its reports; a failed test is in these.
func TestMavenTellsWhatItIgnored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	junit, output := dir+"/TEST-a.xml", dir+"/stdout"
	assert.NilError(t, os.WriteFile(junit, []byte(`<testsuite name="A" tests="1"><testcase name="works" classname="A"/></testsuite>`), 0o600))
	for name, c := range map[string]struct {
		out      string
		problems int
		err      error
	}{
		"quiet":           {"# maven\n", 0, nil},
		"failed":          {"# maven\n[ERROR] There are test failures.\n\nPlease refer to /a/target/surefire-reports\n", 0, nil},
		"ended":           {"# maven\n\x1b[0m[ERROR] There was a timeout in the fork\n", 1, nil},
		"ended, before 3": {"# maven\n[ERROR] There was a timeout or other error in the fork\n", 1, nil},
		"flaky":           {"# maven\n[ERROR] There are test failures.\nThere is 1 flake and failOnFlakeCount is set to 1\n", 1, nil},
		"another program": {"fine\n", 0, collect.ErrFormat},
	} {
		assert.NilError(t, os.WriteFile(output, []byte(c.out), 0o600))
		s, err := Read([]string{junit, output}, Options{})
		if c.err == nil && err != nil || !errors.Is(err, c.err) || len(s.Problems) != c.problems || len(s.Cases) != 1 {
			t.Errorf("%s: error %v, %d problems, %d cases", name, err, len(s.Problems), len(s.Cases))
		}
	}
}
