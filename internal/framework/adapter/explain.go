package adapter

import (
	"regexp"
	"strings"
)

// Cause is one classic way a test run fails to start. Pattern is matched
// against what the runner printed last; $1 in the hint is its first group.
type Cause struct {
	Exit    int // 0: any but zero is fine too
	Pattern string
	Kind    string
	Hint    string
}

// Explain makes an adapter's Explain of its causes, most specific first.
func Explain(causes []Cause) func(int, string) (string, string) {
	compiled := make([]*regexp.Regexp, len(causes))
	for i, c := range causes {
		compiled[i] = regexp.MustCompile(c.Pattern)
	}
	return func(exit int, tail string) (kind, hint string) {
		for i, c := range causes {
			if c.Exit != 0 && c.Exit != exit {
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
			return c.Kind, strings.ReplaceAll(c.Hint, "$1", group)
		}
		return "", ""
	}
}

var Threshold = Cause{Pattern: `does not meet .*threshold|coverage threshold for .* not met|Required test coverage of .* not reached|Coverage failure: total of`, Kind: KindThreshold, Hint: "the tests passed; the repository's own coverage threshold was not reached"}
