package shell

import "github.com/org/qa-action/internal/pattern"

// MaxExpanded bounds what a line becomes.
const MaxExpanded = 64 << 10

// Bounded replaces what matches re by what with gives for its groups, until the
// text is too long.
func Bounded(re *pattern.Pattern, text string, with func(groups []string) string) string {
	size := len(text)
	return re.ReplaceAllStringFunc(text, func(m string) string {
		if size > MaxExpanded {
			return m
		}
		to := with(re.FindStringSubmatch(m))
		size += len(to) - len(m)
		return to
	})
}

// Unread stands for what only the tool whose file is read knows.
const Unread = "\x01"
