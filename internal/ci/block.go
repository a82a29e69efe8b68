package ci

import (
	"slices"
	"strings"
)

// Words that open and close what a shell runs once, often or not at all, those that a
// command follows, and those by which the rest of a script runs elsewhere, otherwise or
// not at all.
var (
	opens   = []string{"if", "for", "while", "until", "case", "select"}
	closes  = []string{"fi", "done", "esac"}
	follow  = []string{";", "&", "|", "(", "{", "then", "do", "else", "elif", "!", "if", "while", "until"}
	departs = []string{"exit", "exec", "return", "trap", "set", "shopt", "cd", "pushd", "popd", "source", ".", "eval"}
)

// blocks says of the lines of a script, one after another, which of them stand outside of
// its conditions and loops. lost is said of a script that it cannot follow any more.
type blocks struct {
	depth int
	lost  bool
}

// newBlocks begins with a script. One whose commands go over several lines by other means
// than conditions and loops is not followed.
func newBlocks(script string) blocks {
	b := blocks{lost: strings.Contains(script, "\\\n") || strings.Contains(script, "<<")}
	for line := range strings.Lines(script) {
		b.lost = b.lost || strings.Count(line, `'`)%2 != 0 || strings.Count(line, `"`)%2 != 0
	}
	return b
}

// outside takes the next line, and reports whether it is for certain run once. parsed says
// that the line alone is a command.
func (b *blocks) outside(line string, parsed bool) bool {
	if line == "" || strings.HasPrefix(line, "#") {
		return false
	}
	before, found, previous := b.depth, false, ";"
	for _, word := range strings.Fields(apart.Replace(line)) {
		if slices.Contains(follow, previous) {
			switch {
			case slices.Contains(opens, word):
				b.depth++
				found = true
			case slices.Contains(closes, word):
				b.depth--
				found = true
			case (before > 0 || b.depth > 0) && slices.Contains(departs, word):
				b.lost = true
			}
		}
		previous = word
	}
	known := parsed || found || before > 0
	b.lost = b.lost || b.depth < 0 || !known
	return !b.lost && parsed && !found && before == 0
}

// apart makes words of what stands between commands.
var apart = strings.NewReplacer(";", " ; ", "&", " & ", "|", " | ", "(", " ( ", ")", " ; ", "{", " { ", "}", " } ")
