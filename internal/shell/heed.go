package shell

import (
	"slices"
	"strings"
)

// Heeded reports whether a list of commands ends badly where its i-th one alone fails;
// errexit says that the shell was told to end then (set -e), which it does where nothing
// in the same chain asks for the command's outcome.
func Heeded(list []Simple, i int, errexit bool) bool {
	if list[i].Background {
		return false
	}
	failing := i
	for n := i + 1; n < len(list); n++ {
		switch next := list[n]; {
		case next.Joint == "&&":
		case next.Joint != "||":
			return errexit && failing == n-1
		case next.leaves():
			return true
		case !next.fails():
			return false
		default:
			failing = n
		}
	}
	return true
}

// leaves reports whether a command ends the shell badly: exit, as what ran before or with a
// number that is no 0.
func (c Simple) leaves() bool {
	return len(c.Words) > 0 && c.Words[0].Text == "exit" && (len(c.Words) == 1 || strings.Trim(c.Words[1].Text, "0") != "")
}

// fails reports whether a command does nothing but fail, for all that is known, whatever it
// does before that.
func (c Simple) fails() bool {
	if n := len(c.Group); n > 0 {
		return c.Group[n-1].leaves() || c.Group[n-1].fails()
	}
	return len(c.Words) == 1 && c.Words[0].Text == "false"
}

// ErrExit is whether the shell ends when a command fails, once this one ran.
func (c Simple) ErrExit(now bool) bool {
	words := Texts(c.Words)
	if len(words) == 0 || words[0] != "set" {
		return now
	}
	for i, w := range words[1:] {
		sets := strings.HasPrefix(w, "-")
		switch {
		case w == "--":
			return now
		case !sets && !strings.HasPrefix(w, "+"):
		case strings.HasPrefix(w[1:], "-"):
		case strings.Contains(w, "e"), strings.HasSuffix(w, "o") && slices.Contains(words[i+2:], "errexit"):
			now = sets
		}
	}
	return now
}
