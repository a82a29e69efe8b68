package qa

import "testing"

func TestCaseID(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]Case{
		"a.test.js > index > renders": {File: "a.test.js", Suite: "index", Name: "renders"},
		"b.test.js > index > renders": {File: "b.test.js", Suite: "index", Name: "renders"},
		"a.test.js > renders":         {File: "a.test.js", Suite: "a.test.js", Name: "renders"},
		"c.test.js > renders":         {File: "c.test.js", Name: "renders"},
		// Known by its package whether it failed in a known file or passed.
		"example.com/m > TestX": {File: "x_test.go", Suite: "example.com/m", Name: "TestX"},
		"example.com/m > TestY": {Suite: "example.com/m", Name: "TestY"},
	} {
		if got := c.ID(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
