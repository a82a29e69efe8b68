package shell

import (
	"errors"
	"strings"
)

// Split splits the line of one command into words. Quotes and backslashes are
// understood, expansions are not: a word with one is kept as written. Operators are
// words as others: no shell will see them. A line that ends within quotes or at a
// backslash is an error, beside the words so far.
func Split(line string) ([]string, error) {
	s := splitter{}
	if s.read(line); s.open {
		return s.words, errors.New("it ends within quotes, or with a backslash")
	}
	return s.words, nil
}

// splitter reads words and knows no expansions.
type splitter struct {
	open   bool // the text ended too early
	words  []string
	word   strings.Builder
	inWord bool
}

func (s *splitter) endWord() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
		s.word.Reset()
		s.inWord = false
	}
}

func (s *splitter) read(text string) {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			s.word.WriteByte(text[i])
			s.inWord = true
		case quote != 0:
			s.word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, s.inWord = c, true
		case strings.IndexByte(" \t\r\n", c) >= 0:
			s.endWord()
		case c == '#' && !s.inWord:
			i += strings.IndexByte(text[i:]+"\n", '\n')
		default:
			s.open = c == '\\' // only the last
			s.word.WriteByte(c)
			s.inWord = true
		}
	}
	s.open = s.open || quote != 0
	s.endWord()
}
