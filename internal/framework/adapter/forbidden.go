package adapter

import (
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
)

// Retries is what a framework's own way to run a failed test again looks like.
func Retries(line string) []language.Smell {
	return []language.Smell{{Rule: "retry", Line: pattern.New(line), Why: "retries hide flakiness"}}
}
