package builtin

import (
	"bytes"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// decides reports whether a function that is looked at can have as many decisions as a
// complex one: reading the structure of a file costs far more than counting words and
// signs. Where it is known which lines a function cannot leave, each such piece is
// counted by itself, and only those that the change touches.
func decides(f *engine.File, most int, all bool) bool {
	count := counts[f.Language]
	if count == nil {
		count = decisions
	}
	if count(f.Source, most) < most {
		return false
	}
	if f.Language != "python" {
		return true
	}
	pieces, ok := pythonPieces(f.Source)
	if !ok {
		return true
	}
	for _, p := range pieces {
		if (all || f.Touches(p.lines)) && count(f.Source[p.from:p.to], most) >= most {
			return true
		}
	}
	return false
}

// counts are of languages that decide by more than all others do.
var counts = map[string]func(source []byte, most int) int{"rust": armsToo}

// armsToo counts the arms of a match beside the words and signs.
func armsToo(source []byte, most int) int {
	return min(most, decisions(source, most)+bytes.Count(source, []byte("=>")))
}

// decisions counts all that an outline may count, in any of the languages but for
// [counts], and more, up to a number. A word counts behind a digit too, as in "1if x else
// 2"; a regular expression for the same took a fifth of a scan in which nothing had
// changed.
func decisions(source []byte, most int) (n int) {
	for i := 0; i < len(source) && n < most; i++ {
		switch c := source[i]; {
		case c == '?':
			n++
		case (c == '&' || c == '|') && i+1 < len(source) && source[i+1] == c:
			n++
			i++
		case inWord(c):
			from := i
			for ; i < len(source) && inWord(source[i]); i++ {
				if source[i] <= '9' {
					from = i + 1
				}
			}
			switch string(source[from:i]) {
			case "if", "elif", "for", "while", "do", "case", "catch", "except", "select", "and", "or":
				n++
			}
			i--
		}
	}
	return n
}

// inWord tells letters, digits and the underscore; the digits come before the others.
func inWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_'
}

// piece is a part of a file out of which no function of it reaches.
type piece struct {
	lines    qa.Range
	from, to int
}
