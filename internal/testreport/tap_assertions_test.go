package testreport

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTAPAssertions: in what node-tap writes, a point is an assertion and the subtest
// around it the test.
func TestTAPAssertions(t *testing.T) {
	t.Parallel()
	file := func(body string) string {
		return "TAP version 14\n# Subtest: test/a.js\n" + body + "1..1\n"
	}
	for _, tc := range []struct{ name, doc, want string }{
		{"assertions are one test", file("    # Subtest: a\n        ok 1 - should be equal\n        # a remark\n        ok 2 - should be equal\n        1..2\n    ok 1 - a # time=1500ms\n    1..1\nok 1 - test/a.js\n"),
			"passed  | a 1.500"},
		{"the first that fails says why", file("    # Subtest: a\n        ok 1 - first\n        not ok 2 - second\n          ---\n          diff: |\n            -2\n            +1\n          ...\n        not ok 3 - third\n        1..3\n    not ok 1 - a\n    1..1\nnot ok 1 - test/a.js\n"),
			"failed  | a : second: -2/+1"},
		{"a test that fails beside its assertions", file("    # Subtest: a\n        ok 1 - first\n        1..1\n    not ok 1 - a\n      ---\n      error: hook\n      ...\n    1..1\nnot ok 1 - test/a.js\n"),
			"failed  | a : failed, although no assertion did: hook"},
		{"a file that asserts by itself", file("    ok 1 - x\n    ok 2 - y\n    1..2\nok 1 - test/a.js\n"), "passed  | test/a.js"},
		{"a file that ends badly", file("    ok 1 - x\n    1..1\nnot ok 1 - test/a.js\n  ---\n  exitCode: 3\n  ...\n"), "failed  | test/a.js : failed, although no assertion did"},
		{"a test in a test, beside assertions", file("    # Subtest: a\n        ok 1 - own\n        # Subtest: b\n            not ok 1 - c\n            1..1\n        not ok 2 - b\n        1..2\n    not ok 1 - a\n    1..1\nnot ok 1 - test/a.js\n"),
			"passed  | a\nfailed a | b : c"},
		{"a test without assertions", file("    # Subtest: a\n        1..0\n    ok 1 - a\n    1..1\nok 1 - test/a.js\n"), "passed  | a"},
		{"skipped and to do", file("    ok 1 - a # SKIP\n    not ok 2 - b # TODO\n    1..2\nok 1 - test/a.js\n"), "skipped  | a\nskipped  | b"},
		{"two of one name", file("    # Subtest: a\n        ok 1\n        1..1\n    ok 1 - a\n    # Subtest: a\n        not ok 1 - no\n        1..1\n    not ok 2 - a\n    1..2\nnot ok 1 - test/a.js\n"),
			"warning tests with the name of another one, numbered: 1, for example \"test/a.js > a\"\npassed  | a\nfailed  | a (2) : no"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := ReadFrom(strings.NewReader(tc.doc), "r", Options{Format: "nodetap"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, brief(s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTAPBlockOfASum: the block of a point that says nothing more is no TAP either.
func TestTAPBlockOfASum(t *testing.T) {
	t.Parallel()
	doc := "# Subtest: s\n    not ok 1 - a\n    1..1\nnot ok 1 - s\n  ---\n  source: |\n    1..7\n    not ok 3 - told in a text\n  ...\n1..1\n"
	s, err := ReadFrom(strings.NewReader(doc), "r", Options{Format: "tap"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("failed s | a", brief(s)); diff != "" {
		t.Error(diff)
	}
}

// TestTAPFirstSubtest: a file whose first line is the first line of a subtest of it.
func TestTAPFirstSubtest(t *testing.T) {
	t.Parallel()
	doc := "# Subtest: s\n    # Subtest: a\n        not ok 1 - x\n        1..1\n    not ok 1 - a\n    1..1\nnot ok 1 - s\n1..1\n"
	s, err := ReadFrom(strings.NewReader(doc), "r", Options{Format: "tap"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("failed s > a | x", brief(s)); diff != "" {
		t.Error(diff)
	}
}
