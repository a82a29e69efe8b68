package testreport

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTAPOddities is one small document per way in which writers of TAP differ or
// are wrong, with everything the reader must make of it.
func TestTAPOddities(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, doc, want string }{
		{"no version, no names", "1..2\nok\nnot ok 2\n", "passed  | test 1\nfailed  | test 2"},
		{"fewer than planned", "1..3\nok 1 - a\n", "problem crash r: the plan has 3 tests, and 1 ended\npassed  | a"},
		{"more than planned", "1..1\nok 1 - a\nok 2 - b\n", "problem crash r: the plan has 1 tests, and 2 ended\npassed  | a\npassed  | b"},
		{"ended by hand", "1..2\nok 1 - a\nBail out! no database\n",
			"problem crash r: the run was ended: no database\nproblem crash r: the plan has 2 tests, and 1 ended\npassed  | a"},
		{"subtests fewer than planned", "ok 1 - x\n    ok 1 - a\n    1..2\nok 2 - s\n1..2\n", "problem crash s: the plan has 2 tests, and 1 ended\npassed  | x\npassed s | a"},
		{"a sum that fails by itself", "    ok 1 - a\n    1..1\nnot ok 1 - s\n  ---\n  error: 'after hook'\n  ...\n1..1\n", "passed s | a\nfailed  | s : after hook"},
		{"a sum of failures", "    not ok 1 - a\n    1..1\nnot ok 1 - s\n1..1\n", "failed s | a"},
		{"a name behind the subtests counts", "# Subtest: s\n    ok 1 - a\n    1..1\nok 1 - t\n1..1\n", "passed t | a"},
		{"subtests of a file", "# Subtest: test/a.js\n    ok 1 - a\n    1..1\nok 1 - test/a.js\n1..1\n", "passed  | a"},
		{"known to fail", "1..2\nnot ok 1 - a # TODO later\nok 2 - b # TODO done\n", "skipped  | a\npassed  | b"},
		{"skipped", "1..2\nok 1 - a # skip: no net\nnot ok 2 # SKIP\n", "skipped  | a\nskipped  | test 2"},
		{"hashes in names", "1..2\nok 1 - a \\# b\nok 2 - issue #12 # not a directive\n", "passed  | a # b\npassed  | issue #12 # not a directive"},
		{"seconds", "1..2\nok 1 - a # time=1500ms\nok 2 - b\n  ---\n  duration_ms: 250\n  ...\n", "passed  | a 1.500\npassed  | b 0.250"},
		{"words around it", "hello\nTAP version 14\nok then, off we go\n1..1\nok 1 - a\nbye\n",
			"problem crash r: the plan has 1 tests, and 2 ended\npassed  | then, off we go\npassed  | a"},
		{"two of one name", "1..2\nok 1 - a\nnot ok 2 - a\n", "warning tests with the name of another one, numbered: 1, for example \"a\"\npassed  | a\nfailed  | a (2)"},
		{"two documents", "TAP version 13\n1..1\nok 1 - a\nTAP version 13\n1..2\nok 1 - b\n", "problem crash r: the plan has 2 tests, and 1 ended\npassed  | a\npassed  | b"},
		{"what is said of a run names no test", "1..1\nok 1 - a\n# tests 1\n# duration_ms 5.1\nTAP version 13\nok 1 - b\n1..1\n", "passed  | a\npassed  | b"},
		{"bats", "1..1\nnot ok 1 adds\n# (in test file test/a.bats, line 3)\n#   `[ 1 -eq 2 ]' failed\n", "failed  | adds : (in test file test/a.bats, line 3)/`[ 1 -eq 2 ]' failed"},
		{"what is printed in a block is no point", "1..1\nnot ok 1 - a\n  ---\n  output: |\n    ok 2 - b\nok 3 - c\n  ...\n", "failed  | a : output: |/  ok 2 - b/ok 3 - c"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := ReadFrom(strings.NewReader(tc.doc), "r", Options{Format: "tap"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, brief(s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
