package javascript

import (
	"strings"
	"testing"
)

// FuzzCode: what is left of a source without its text has none of its lines twice.
func FuzzCode(f *testing.F) {
	for _, s := range []string{"import t, { a as b } from 'tap'\nt(`${`x`}`", "/[/]/ /* * /"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if strings.Count(code([]byte(src)), "\n") > strings.Count(src, "\n") {
			t.Errorf("%q has more lines without its text", src)
		}
	})
}
