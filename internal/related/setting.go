package related

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// BesideTests is the text of a test file without its tests: what sets them up.
func BesideTests(c *Code, file string) string {
	parsed, src, err := c.parse(file)
	if err != nil {
		return ""
	}
	var out []string
	for i, line := range strings.Split(string(src), "\n") {
		if !slices.ContainsFunc(parsed.Functions, func(f qa.Function) bool { return f.Test && f.Lines.Contains(i+1) }) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
