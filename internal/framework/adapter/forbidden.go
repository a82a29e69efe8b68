package adapter

import (
	"regexp"

	"github.com/org/qa-action/internal/language"
)

// Retries is what a framework's own way to run a failed test again looks like.
func Retries(line string) []language.Smell {
	return []language.Smell{{Rule: "retry", Line: regexp.MustCompile(line), Why: "retries hide flakiness"}}
}
