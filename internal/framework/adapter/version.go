package adapter

import (
	"github.com/org/qa-action/internal/pattern"
)

// Major is the first number of a version or range: 3 for "3.2.4" and "^3.0.0";
// 0 when there is none.
func Major(version string) int { return number(version, 0) }

// AtLeast compares major and minor; an unknown version counts as new.
func AtLeast(version string, major, minor int) bool {
	m := number(version, 0)
	if m == 0 {
		return true
	}
	return m > major || m == major && number(version, 1) >= minor
}

var digits = pattern.New(`\d+`)

func number(version string, part int) int {
	found := digits.FindAllString(version, part+1)
	if len(found) <= part {
		return 0
	}
	n := 0
	for _, c := range found[part] {
		if n < 1e6 {
			n = 10*n + int(c-'0')
		}
	}
	return n
}
