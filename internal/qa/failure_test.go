package qa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestReason: what differs between runs or tests is not part of the reason, what
// tells causes apart is.
func TestReason(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"":             "no message",
		"\n\n=====\n ": "no message",
		"AssertionError: expected 90 to be 81\n\n- Expected":                                                       "AssertionError: expected 90 to be 81",
		"Error: connect ECONNREFUSED 127.0.0.1:49823":                                                              "Error: connect ECONNREFUSED 127.0.0.1:<port>",
		"listen EADDRINUSE: address already in use :::40001":                                                       "listen EADDRINUSE: address already in use :::<port>",
		"Error: Test timed out in 5000ms.":                                                                         "Error: Test timed out in <duration>.",
		"took 0.25 seconds, process 4711 at 2026-11-22T01:02:03.4Z":                                                "took <duration>, process <number> at <time>",
		"Error: Cannot find module '/tmp/qa-run-123/repo/dist/index.js'":                                           "Error: Cannot find module '<dir>/index.js'",
		"ENOENT: no such file or directory, open '/tmp/x-99/cache/data'":                                           "ENOENT: no such file or directory, open '<dir>'",
		`open C:\Users\me\AppData\Temp\x.txt: denied`:                                                              "open <dir>/x.txt: denied",
		"<shop.Cart object at 0x7f1cc2a0> != <shop.Cart object at 0x7f1cc2ff>":                                     "<shop.Cart object at <address>> != <shop.Cart object at <address>>",
		"no row 3f2504e0-4f89-11d3-9a0c-0305e82c3301":                                                              "no row <uuid>",
		"no document 507f1f77bcf86cd799439011 for 1700000000000":                                                   "no document <id> for <id>",
		"    cart_test.go:12: got 1, want 2":                                                                       "got 1, want 2",
		"--- FAIL: TestCart (0.00s)\n    cart_test.go:99: got 1, want 2":                                           "got 1, want 2",
		"panic in src/cart.ts:12:40 while adding":                                                                  "panic in src/cart.ts while adding",
		`unexpected body "` + strings.Repeat("a", 80) + `"`:                                                        "unexpected body <text>",
		`failed on setup with "AttributeError: module 'a.b' has no attribute 'c'` + strings.Repeat(" d", 40) + `"`: "failed on setup: AttributeError: module 'a.b' has no attribute 'c'" + strings.Repeat(" d", 40),
		"it doesn't work and it can't":                                                                             "it doesn't work and it can't",
		"Traceback (most recent call last):\n  File \"x.py\", line 1\nValueError: no\n":                            "ValueError: no",
		"expect(received).toBe(expected) // Object.is equality\n\nExpected: 1\nReceived: 2\n\n  3 |":               "expect(received).toBe(expected) // Object.is equality Expected: 1 Received: 2",
		"AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n":                       "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1 !== 2",
		"\x1b[31mred\x1b[0m \xff":                                                                                  "red \uFFFD",
		"Error Trace:\t/home/u/shop/cart_test.go:12\n\tError: \tNot equal:\n\texpected: 1\n":                       "Error: Not equal: expected: 1",
	} {
		assert.Equal(t, Case{Message: message}.reason(), want, "%q", message)
	}
	assert.Equal(t, Case{Output: "boom"}.reason(), "boom")
	long := Case{Message: strings.Repeat("é x ", 5000)}.reason()
	assert.Equal(t, len([]rune(long)), reasonRunes)
}

func failure(name, message string, triage Triage) FailingTest {
	return FailingTest{Triage: triage, Case: Case{Suite: "s", Name: name, Status: Failed, Message: message}}
}

func TestGroupFailures(t *testing.T) {
	t.Parallel()
	held := failure("held", "boom", FlakyFailure)
	held.Quarantine = "until 2999-01-01"
	failing := []FailingTest{failure("lonely", "other", NewFailure), held, failure("loose", "boom", FlakyFailure), failure("odd", "boom", "odd"), failure("unknown", "boom", UnknownFailure)}
	for i := range 7 {
		failing = append(failing, failure(fmt.Sprintf("same %d", i), fmt.Sprintf("timed out in %d ms", i), NewFailure))
	}
	groups := GroupFailures(failing)
	var got []string
	total := 0
	for _, g := range groups {
		total += g.Count
		assert.Assert(t, len(g.Tests) <= GroupNames)
		got = append(got, fmt.Sprintf("%d %s %s %s", g.Count, g.Triage, g.Message, g.Tests[0]))
	}
	assert.DeepEqual(t, got, []string{
		"7 new timed out in <duration> s > same 0", "2 unknown boom s > odd", "1 new other s > lonely", "1 flaky boom s > held", "1 flaky boom s > loose",
	})
	assert.Equal(t, total, len(failing), "a test is in no group, or in two")
	assert.DeepEqual(t, groups[0].Tests, []string{"s > same 0", "s > same 1", "s > same 2", "s > same 3", "s > same 4"})
	assert.Assert(t, slices.EqualFunc(groups, GroupFailures(failing), func(a, b FailureGroup) bool { return a.Message == b.Message }), "the order is not stable")
	assert.Equal(t, len(GroupFailures(nil)), 0)
}
