package executor

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// TestMisfit: a crash says nothing of a helper only where the helper, and no changed file of
// the product, is on its way. What crashes without a trace says something.
func TestMisfit(t *testing.T) {
	t.Parallel()
	misfit := Misfit([]string{"test/helper.js", "tests/checks.py"}, []string{"lib/sum.js", "src/calc.py"})
	for name, c := range map[string]struct {
		message, output string
		want            bool
	}{
		"in the helper":          {"TypeError: sum is not a function", "at same (file:///t/test/helper.js:6:3)", true},
		"in the product":         {"TypeError: a.plus is not a function", "at sum (/t/lib/sum.js:1:30)\nat same (/t/test/helper.js:6:3)", false},
		"named, no line of it":   {"SyntaxError: '../lib/sum.js' does not provide 'sum'", "/t/test/helper.js:3", true},
		"Python, in the helper":  {"AttributeError: module has no attribute 'half'", "tests/checks.py:5: AttributeError", true},
		"Python, in the product": {"AttributeError: no attribute", "  File \"/t/src/calc.py\", line 2\n  File \"/t/tests/checks.py\", line 5", false},
		"an assertion":           {"AssertionError: 3 == 4", "/t/test/helper.js:6", false},
		"no trace":               {"TypeError: no", "", false},
		"null":                   {"TypeError: Cannot read properties of null (reading 'name')", "at /t/test/helper.js:6", false},
		"no list":                {"TypeError: all(...).map is not a function", "at /t/test/helper.js:6", false},
		"None":                   {"TypeError: 'NoneType' object is not subscriptable", "tests/checks.py:5: TypeError", false},
		"an attribute of None":   {"AttributeError: 'NoneType' object has no attribute 'name'", "tests/checks.py:5: AttributeError", false},
		"a list for a dict":      {"AttributeError: 'list' object has no attribute 'items'", "tests/checks.py:5: AttributeError", false},
		"a method that is gone":  {"AttributeError: 'Calc' object has no attribute 'half'", "tests/checks.py:5: AttributeError", true},
		"a key":                  {"KeyError: 'name'", "tests/checks.py:5: KeyError", false},
		"a signature":            {"TypeError: half() missing 1 required positional argument: 'b'", "tests/checks.py:5: TypeError", true},
		"another keyword":        {"TypeError: half() got an unexpected keyword argument 'x'", "tests/checks.py:5: TypeError", true},
		"a nil pointer":          {"panic: runtime error: invalid memory address or nil pointer dereference", "test/helper.js:6", false},
		"an import":              {"ImportError: cannot import name 'half' from 'calc'", "tests/checks.py:1: in <module>", true},
		"elsewhere":              {"TypeError: x is not a function", "at x (/t/test/other.js:6:3)", false},
	} {
		if got := misfit(qa.Case{Message: c.message, Output: c.output}); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
	if Misfit(nil, nil)(qa.Case{Message: "TypeError: no"}) {
		t.Error("nothing is in common, and misfits")
	}
}
