package baseline

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// A suite that writes files of the project is no news where base's does so too.
func TestWrote(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wrote executor.Wrote
		base  string
		want  string
	}{
		"nothing":                 {executor.Wrote{}, "b", ""},
		"on head alone":           {executor.Wrote{Head: []string{"lib/a.js", "out.txt"}, Base: []string{"out.txt"}}, "b", "(lib/a.js)"},
		"on both":                 {executor.Wrote{Head: []string{"out.txt"}, Base: []string{"out.txt", "b.txt"}}, "b", ""},
		"laid on head":            {executor.Wrote{Head: []string{"lib/a/index.js"}, Laid: []string{"lib/a/index.js"}, Base: []string{"out.txt"}}, "b", "(lib/a/index.js)"},
		"byte code on both":       {executor.Wrote{Head: []string{"lib/b.pyc"}, Laid: []string{"lib/b.pyc"}, Base: []string{"lib/a.pyc"}}, "b", ""},
		"a written file, as that": {executor.Wrote{Head: []string{"lib/b.js"}, Base: []string{"lib/a.js"}}, "b", "(lib/b.js)"},
		"there is no base":        {executor.Wrote{Head: []string{"lib/a.js"}}, "", ""},
	} {
		b := &Baseline{Runs: []executor.Baseline{{Wrote: c.wrote, Base: &executor.Run{}}}}
		comparison{b: b, Options: Options{Checkout: checkout.Checkout{Change: qa.Change{Base: c.base}}}}.wrote()
		if (b.Command == "") != (c.want == "") || !strings.Contains(b.Command, c.want) {
			t.Errorf("%s: %q, want %q", name, b.Command, c.want)
		}
	}
}
