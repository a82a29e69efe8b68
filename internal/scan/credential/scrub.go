package credential

import (
	"strings"
	"sync"
)

// Scrubber gives a function that takes credentials out of a text before it
// leaves the machine. The error says that nothing can be looked for; then
// nothing may be sent.
func Scrubber() (func(string) string, error) {
	all, err := Detector()
	if err != nil {
		return nil, err
	}
	return func(text string) string {
		for _, found := range all.Find("", text) {
			if found.Secret != "" {
				text = strings.ReplaceAll(text, found.Secret, Redacted)
			}
		}
		return text
	}, nil
}

// Detector is read once, for that makes a search tree of the words of 200 rules.
var Detector = sync.OnceValues(readRules)

const Redacted = "[redacted]"
