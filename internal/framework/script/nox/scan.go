package nox

import (
	"iter"
	"strings"
)

// Pieces are the texts in Python code, each whole, and all else character by
// character, with the place where each begins. Comments are left out.
func Pieces(code string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, n := 0, 0; i < len(code); i += n {
			switch n = 1; code[i] {
			case '#':
				if n = strings.IndexByte(code[i:], '\n'); n < 0 {
					return
				}
				continue
			case '"', '\'':
				n = pyText(code[i:])
			}
			if !yield(i, code[i:i+n]) {
				return
			}
		}
	}
}

// pyText is the length of the text that begins code; one that does not end is
// the rest of its line, or all of it.
func pyText(code string) int {
	quote := code[:1]
	if three := strings.Repeat(quote, 3); strings.HasPrefix(code, three) {
		quote = three
	}
	for i := len(quote); i < len(code); i++ {
		switch {
		case code[i] == '\\':
			i++
		case strings.HasPrefix(code[i:], quote):
			return i + len(quote)
		case code[i] == '\n' && len(quote) == 1:
			return i
		}
	}
	return len(code)
}

// uncommented is code without its comments.
func uncommented(code string) string {
	var out strings.Builder
	for _, piece := range Pieces(code) {
		out.WriteString(piece)
	}
	return out.String()
}

// textless is code with blanks in the place of its texts: what stands in one is
// called by nobody.
func textless(code string) string {
	out := []byte(code)
	for i, piece := range Pieces(code) {
		if len(piece) > 1 {
			copy(out[i:], strings.Repeat(" ", len(piece)))
		}
	}
	return string(out)
}

// opened is by how much a piece changes the number of open brackets.
func opened(piece string) int {
	switch piece {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

// pyEnd is the place of the bracket that closes the one which begins a text; -1
// when there is none.
func pyEnd(text string) int {
	if text == "" || opened(text[:1]) != 1 {
		return -1
	}
	depth := 0
	for i, piece := range Pieces(text) {
		if depth += opened(piece); depth == 0 {
			return i
		}
	}
	return -1
}

// pyArgs are the arguments of the call that begins a text.
func pyArgs(text string) ([]string, bool) {
	end := pyEnd(text)
	if end < 0 || text[0] != '(' {
		return nil, false
	}
	return pySplit(text[1:end]), true
}

// pySplit splits at the commas that stand in no brackets and no text.
func pySplit(text string) []string {
	var out []string
	var part strings.Builder
	take := func() {
		var lines []string
		for line := range strings.Lines(part.String()) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			out = append(out, strings.Join(lines, " "))
		}
		part.Reset()
	}
	depth := 0
	for _, piece := range Pieces(text) {
		if piece == "," && depth == 0 {
			take()
			continue
		}
		depth += opened(piece)
		part.WriteString(piece)
	}
	take()
	return out
}
