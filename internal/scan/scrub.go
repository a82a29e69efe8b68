package scan

import "strings"

// Scrubber gives a function that takes credentials out of a text before it
// leaves the machine. The error says that nothing can be looked for; then
// nothing may be sent.
func Scrubber() (func(string) string, error) {
	all, err := detector()
	if err != nil {
		return nil, err
	}
	return func(text string) string {
		for _, found := range all.find("", text) {
			if found.secret != "" {
				text = strings.ReplaceAll(text, found.secret, redacted)
			}
		}
		return text
	}, nil
}
