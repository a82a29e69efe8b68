package pattern

import (
	"regexp"
	"testing"

	"gotest.tools/v3/assert"
)

var expressions = []string{
	`(?:^|/)(?:tests?|__tests__)/(?:[^/]+/)*[^/]+\.[cm]?[jt]sx?$`, `(?i)tests?`, `a|b*`, `(ab|cd)+ef`, `x{2,}yz`, `q{0,3}r?`, "\uFFFDx", `^$`,
	`ab|cd|ef|gh|ij`, `[a-c]def`, `.*`, `(?:abc)?`, `a(?i)B`, `ab(|c)`, `[^\n]b\b`,
}

// FuzzNeeded holds a match to what the library says, whatever is looked for before.
func FuzzNeeded(f *testing.F) {
	for _, text := range []string{"src/tests/a.ts", "TEST", "cdabef", "xxyz", "\xffx", "", "ij", "cdef", "aB", "ab", "éb"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range expressions {
			assert.Equal(t, (&Pattern{expression: e}).MatchString(text), regexp.MustCompile(e).MatchString(text), "%q in %q", e, text)
		}
	})
}

func TestNeeded(t *testing.T) {
	t.Parallel()
	for e, want := range map[string][]string{
		expressions[0]: {"test", "__tests__"}, `(?i)tests?`: nil, `(ab|cd)+ef`: {"ab", "cd"}, `x{2,}yz`: {"yz"},
		`q{0,3}r?`: nil, `ab|cd|ef|gh|ij`: nil, `[a-c]def`: {"def"}, "\uFFFDx": nil, `tests?|spec`: {"test", "spec"},
	} {
		p := &Pattern{expression: e}
		p.re()
		assert.DeepEqual(t, p.needed, want)
	}
}
