package testreport

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

// TestFormatsAgree reads reports that different writers made of one run, or of
// two runs of one project. They must give the same counts; where a writer loses
// something, the difference is listed with the reason and must be exactly that.
func TestFormatsAgree(t *testing.T) {
	t.Parallel()
	type difference struct {
		why  string
		more qa.Tally // what this report has more than the first one
	}
	for _, tc := range []struct {
		name, first string
		others      map[string]difference
	}{
		{"jest", "jest/jest30.json", map[string]difference{
			"jest/jest29.json": {},
			"ctrf/jest30.json": {},
			"junit/jest-junit-30.xml": {"jest-junit writes a todo as passed and does not tell retries",
				qa.Tally{Passed: 2, Skipped: -1, Flaky: -1}},
			"junit/jest-junit-29.xml": {"as version 30", qa.Tally{Passed: 2, Skipped: -1, Flaky: -1}},
		}},
		{"vitest", "vitest/vitest3.json", map[string]difference{
			"vitest/vitest1.json": {},
			"vitest/vitest2.json": {},
			"vitest/vitest4.json": {},
			"junit/vitest-junit-3.xml": {"the junit reporter adds the describe whose hook failed as a test and does not tell retries",
				qa.Tally{Tests: 1, Passed: 1, Failed: 1, Flaky: -1}},
			"junit/vitest-junit-2.xml": {"as version 3", qa.Tally{Tests: 1, Passed: 1, Failed: 1, Flaky: -1}},
			"junit/vitest-junit-4.xml": {"as version 3", qa.Tally{Tests: 1, Passed: 1, Failed: 1, Flaky: -1}},
		}},
		{"mocha", "mocha/mocha11.json", map[string]difference{
			"mocha/mocha10.json":        {},
			"mocha/mocha11-stdout.json": {},
			"ctrf/mocha11.json":         {"CTRF has no word for a hook that failed", qa.Tally{Failed: 1, Errors: -1}},
			"junit/mocha-junit-11.xml": {"mocha-junit-reporter leaves pending tests out, does not tell retries, and calls a failed hook a failed test",
				qa.Tally{Tests: -2, Passed: 1, Failed: 1, Errors: -1, Skipped: -2, Flaky: -1}},
		}},
		{"go", "gotest/go1.26-buildtext.json", map[string]difference{
			"gotest/go1.26.json":  {"the flaky test had been run before", qa.Tally{Passed: 1, Failed: -1}},
			"junit/gotestsum.xml": {"gotestsum calls a test that never finished failed", qa.Tally{Failed: 1, Errors: -1}},
		}},
		{"go rerun", "gotest/gotestsum-rerun.json", map[string]difference{
			"junit/gotestsum-rerun.xml": {},
		}},
		{"pytest", "junit/pytest9.xml", map[string]difference{
			"junit/pytest7.xml":        {"its junit plugin has one entry for all attempts of a rerun test", qa.Tally{Passed: 1, Flaky: -1}},
			"junit/pytest8.xml":        {},
			"junit/pytest9-xunit1.xml": {},
			"junit/pytest9-xdist.xml":  {},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			want := tallyOf(t, tc.first)
			for name, d := range tc.others {
				got := tallyOf(t, name)
				expected := plus(want, d.more)
				if diff := cmp.Diff(expected, got); diff != "" {
					t.Errorf("%s against %s (%s):\n%s", name, tc.first, d.why, diff)
				}
				if (d.more == qa.Tally{}) != (d.why == "") {
					t.Errorf("%s: a difference needs a reason, and only a difference", name)
				}
			}
		})
	}
}

func tallyOf(t *testing.T, name string) qa.Tally {
	t.Helper()
	s, err := Read([]string{filepath.Join("testdata", filepath.FromSlash(name))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Tally()
}

func plus(a, b qa.Tally) qa.Tally {
	return qa.Tally{Tests: a.Tests + b.Tests, Passed: a.Passed + b.Passed, Failed: a.Failed + b.Failed,
		Errors: a.Errors + b.Errors, Skipped: a.Skipped + b.Skipped, Flaky: a.Flaky + b.Flaky}
}
