// Package mode carries a run out: it picks mode and depth, opens the session, binds
// the tasks of the table to the roles, applies what they found out, and leaves the
// report. Start at [Run]; the tasks are those of package task.
package mode

import (
	"slices"
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/config"
)

var (
	discoveryWords = []string{"discovery", "scan", "issue", "issues", "audit"}
	testingWords   = []string{"test", "tests", "coverage", "tdd", "verify"}
)

// Of resolves mode auto by the whole words of the task, in any case: words of
// one group choose its mode; both groups or none mean full.
func Of(mode config.Mode, task string) config.Mode {
	if mode != config.Auto && mode != "" {
		return mode
	}
	discovery, testing := mentions(task, discoveryWords), mentions(task, testingWords)
	switch {
	case discovery && !testing:
		return config.Discovery
	case testing && !discovery:
		return config.Testing
	}
	return config.Full
}

func mentions(task string, words []string) bool {
	said := strings.FieldsFunc(task, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	return slices.ContainsFunc(said, func(word string) bool { return slices.Contains(words, strings.ToLower(word)) })
}
