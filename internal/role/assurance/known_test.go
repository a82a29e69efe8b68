package assurance

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
)

// TestKnown: a constructor that a class gets is none of new code, as objects of it were made
// before: what fails there on base captures the change.
func TestKnown(t *testing.T) {
	t.Parallel()
	const src = "class Bundle:\n    def render(self):\n        return 1\n\nclass Request(Bundle):\n    fields = []\n\ndef plain():\n    return 1\n"
	for target, want := range map[string]bool{
		"Bundle.render": true, "Bundle.__init__": true, "Request.__init__": true, "plain": true, "Bundle": true, "Request": true,
		"Event.__init__": false, "Event": false, "Bundle.added": false, "added": false,
	} {
		c := Chain{Trees: Trees{Base: struct{ Tree }{}, bases: map[string][]byte{"a.py": []byte(src)}}}
		v := Verdict{GeneratedTest: qa.GeneratedTest{Target: target}, Candidate: generator.Candidate{Source: "a.py"}}
		if got := c.known(&v); got != want {
			t.Errorf("%s: %t, want %t", target, got, want)
		}
	}
}

// TestReaches: a test that goes through what base has, and fails there for what comes out,
// captures the change, though the function that it is for is new.
func TestReaches(t *testing.T) {
	t.Parallel()
	asserted := outcome{status: qa.Failed, why: "AssertionError: expected 1 to be 2"}
	for _, tc := range []struct {
		source, code string
		base         outcome
		want         bool
	}{
		{"a.go", "added()", outcome{status: qa.Failed, why: "panic: nil map"}, true}, // it was compiled
		{"a.ts", "expect(add(1)).toBe(2)", asserted, true},
		{"a.ts", "expect(a.added(1)).toBe(2)", asserted, false}, // what is missing may be what failed
		{"a.ts", "expect(addedMore(1)).toBe(2)", asserted, true},
		{"a.py", "assert add(1) == 2", outcome{status: qa.Failed, why: "AttributeError: no attribute other"}, false},
		{"a.py", "assert add(1) == 2", outcome{status: qa.Errored, errored: true}, false},
	} {
		v := Verdict{GeneratedTest: qa.GeneratedTest{Target: "Bundle.added"}, Candidate: generator.Candidate{Source: tc.source, Test: generator.Test{Code: tc.code}}}
		if got := reaches(&v, tc.base); got != tc.want {
			t.Errorf("%s %s: %t, want %t", tc.source, tc.code, got, tc.want)
		}
	}
}
