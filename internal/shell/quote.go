package shell

import (
	"regexp"
	"strings"
)

// Quoted joins words into a line that a POSIX shell reads back as the same
// words.
func Quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = Quote(w)
	}
	return strings.Join(out, " ")
}

var bare = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

func Quote(word string) string {
	if bare.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// InDir puts a change of directory before a command line.
func InDir(dir, line string) string {
	if dir == "" {
		return line
	}
	return "cd " + Quote(dir) + " && " + line
}
