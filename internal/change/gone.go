package change

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Gone is a run of lines that a change took away.
type Gone struct {
	At    int      // line of the new text before which they stood, from 1; one past its end for the end
	First int      // their first line in the old text, from 1
	Lines []string // without line ends
}

// Removed lists what is in before and no longer in after, from top to bottom.
// A changed line counts as one that was taken away.
func Removed(before, after []byte) []Gone {
	out, _ := Compared(before, after)
	return out
}

// Compared is [Removed] with the lines of after, from 1, that before has not, by the
// same comparison: another one, like git's, may take others of equal lines.
func Compared(before, after []byte) (out []Gone, written []int) {
	text := string(diff.Diff("a", before, "b", after))
	var old, now int
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "@@ -"):
			old, now = hunkStart(line)
		case old == 0 || line == "":
		case line[0] == ' ':
			old, now = old+1, now+1
		case line[0] == '+':
			written = append(written, now)
			now++
		case line[0] == '-':
			if n := len(out); n > 0 && out[n-1].First+len(out[n-1].Lines) == old {
				out[n-1].Lines = append(out[n-1].Lines, line[1:])
			} else {
				out = append(out, Gone{At: now, First: old, Lines: []string{line[1:]}})
			}
			old++
		}
	}
	return out, written
}

// hunkStart reads where a hunk begins: "@@ -3,4 +3,5 @@". An empty side names the
// line before it.
func hunkStart(header string) (old, now int) {
	h, err := parseHunk(header)
	if err != nil {
		return 0, 0 // what looks like a header and is none
	}
	return end(h.old, h.oldN) - h.oldN + 1, end(h.new, h.newN) - h.newN + 1
}
