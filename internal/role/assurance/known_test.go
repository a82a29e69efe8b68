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
