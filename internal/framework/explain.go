package framework

import (
	"regexp"
	"strings"
)

// cause is one classic way a test run fails to start. Pattern is matched
// against what the runner printed last; $1 in the hint is its first group.
type cause struct {
	exit    int // 0: any but zero is fine too
	pattern string
	kind    string
	hint    string
}

// explain makes an adapter's Explain of its causes, most specific first.
func explain(causes []cause) func(int, string) (string, string) {
	compiled := make([]*regexp.Regexp, len(causes))
	for i, c := range causes {
		compiled[i] = regexp.MustCompile(c.pattern)
	}
	return func(exit int, tail string) (kind, hint string) {
		for i, c := range causes {
			if c.exit != 0 && c.exit != exit {
				continue
			}
			m := compiled[i].FindStringSubmatch(tail)
			if m == nil {
				continue
			}
			group := ""
			if len(m) > 1 {
				group = m[1]
			}
			return c.kind, strings.ReplaceAll(c.hint, "$1", group)
		}
		return "", ""
	}
}

var threshold = cause{0, `does not meet .*threshold|coverage threshold for .* not met|Required test coverage of .* not reached|Coverage failure: total of`, KindThreshold, "the tests passed; the repository's own coverage threshold was not reached"}
