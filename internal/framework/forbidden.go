package framework

import (
	"regexp"

	"github.com/org/qa-action/internal/language"
)

// retries is what a framework's own way to run a failed test again looks like.
func retries(line string) []language.Smell {
	return []language.Smell{{Rule: "retry", Line: regexp.MustCompile(line), Why: "retries hide flakiness"}}
}

// forbiddenJS are those of all frameworks for JavaScript: a test that is written
// for one of them may be run by another.
var forbiddenJS = retries(`\bjest\.retryTimes\s*\(|\bthis\.retries\s*\(|\bretry\s*:\s*\d`)
