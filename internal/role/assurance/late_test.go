package assurance

import (
	"errors"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// TestLate: a busy machine kills no mutant, and one that never ends is killed on
// a busy machine too.
func TestLate(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		usual   float64
		mutated []Took // ends when it would end in less than the limit
		plain   Took
		limits  []time.Duration
		want    Lateness
	}{
		"ends":                               {1, []Took{{2, true}}, Took{}, []time.Duration{10 * time.Second}, InTime},
		"never ends":                         {1, []Took{{10, false}}, Took{1, true}, []time.Duration{10 * time.Second}, TooLate},
		"the machine is slow":                {1, []Took{{10, false}, {15, true}}, Took{6, true}, []time.Duration{10 * time.Second, 35 * time.Second}, InTime},
		"the machine is slow, it never ends": {1, []Took{{10, false}, {35, false}}, Took{6, true}, []time.Duration{10 * time.Second, 35 * time.Second}, TooLate},
		"nothing ends":                       {1, []Took{{10, false}}, Took{300, false}, []time.Duration{10 * time.Second}, Unsettled},
		"killed by chance":                   {1, []Took{{2, false}, {2, true}}, Took{1, true}, []time.Duration{10 * time.Second, 10 * time.Second}, InTime},
		"takes all memory":                   {1, []Took{{2, false}, {2, false}}, Took{1, true}, []time.Duration{10 * time.Second, 10 * time.Second}, TooLate},
		"nobody knows what is usual":         {0, []Took{{5, false}, {40, true}}, Took{9, true}, []time.Duration{5 * time.Second, 50 * time.Second}, InTime},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var limits []time.Duration
			got, err := Late(tc.usual, func(limit time.Duration) (Took, error) {
				limits = append(limits, limit)
				return tc.mutated[len(limits)-1], nil
			}, func() (Took, error) { return tc.plain, nil })
			assert.NilError(t, err)
			assert.Equal(t, got, tc.want)
			assert.DeepEqual(t, limits, tc.limits)
		})
	}
	gone := errors.New("gone")
	_, err := Late(1, func(time.Duration) (Took, error) { return Took{}, nil }, func() (Took, error) { return Took{}, gone })
	assert.ErrorIs(t, err, gone)
}

// TestCrashed: whether an assertion failed, or the code before it was reached.
func TestCrashed(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]bool{
		"TypeError: Cannot read properties of undefined (reading 'a')\n    at f":                                          true,
		"TypeError: expect(received).toHaveLength(expected)\n\nMatcher error: received value must have a length property": false,
		"Error: expect(received).toBe(expected)":                                                                          false,
		"AssertionError: expected 1 to be 2":                                                                              false,
		"IndexError: list index out of range":                                                                             true,
		"panic: runtime error: index out of range [1] with length 1":                                                      true,
		"assert 1 == 2": false,
	} {
		assert.Equal(t, outcome{why: message}.crashed(), want, message)
		assert.Equal(t, outcome{why: "failed", output: message}.crashed(), want, message)
	}
}

// TestChecked: a panic of a test's own helper is an assertion, one of the product is not.
func TestChecked(t *testing.T) {
	t.Parallel()
	stack := func(message, file string) string {
		return "panic: " + message + " [recovered, repanicked]\n\ngoroutine 6 [running]:\ntesting.tRunner.func1.2({0x5bb700, 0x60a660})\n\t/go/src/testing/testing.go:1974 +0x232\npanic({0x5bb700?, 0x60a660?})\n\t/go/src/runtime/panic.go:860 +0x13a\nexample.com/m.check(...)\n\t/tree/" + file + ":664\nexample.com/m.TestPath(0x30)\n\t/tree/m_test.go:2431 +0x259\n"
	}
	for _, tc := range []struct {
		output string
		want   bool
	}{
		{stack("assert failed", "m_test.go"), false},
		{stack("assert failed", "m.go"), true},
		{stack("runtime error: index out of range [1]", "m_test.go"), true},
	} {
		assert.Equal(t, outcome{why: "panic: assert failed", output: tc.output}.crashed(), tc.want, tc.output)
	}
}
