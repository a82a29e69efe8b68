package language

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// mostLicence is how many lines a comment about the terms of use has at most.
const mostLicence = 60

// How lines of a comment begin, and what of them is about the terms of use.
var (
	comment = pattern.New(`^\s*(?://|#|\*|/\*)`)
	terming = pattern.New(`(?i)\b(copyright|licen[sc]ed?|spdx)\b`)
)

// Comment reports whether a line begins as one of a comment does in any of the languages.
func Comment(line string) bool { return comment.MatchString(line) }

// Licence is the last line of the comment of several lines at the beginning of a file
// that says under which terms it may be used; 0 where there is none.
func Licence(lines []string) int {
	end, terms := 0, false
	for i, line := range lines[:min(len(lines), mostLicence)] {
		text := strings.TrimSpace(line)
		if text != "" && !Comment(text) {
			break
		}
		terms = terms || terming.MatchString(text)
		if text != "" {
			end = i + 1
		}
	}
	if !terms || end < 2 || end == mostLicence {
		return 0
	}
	return end
}
