package shell

import (
	"errors"
	"strings"
)

// Words splits a script at shell operators into commands and these into words.
// Quotes and backslashes are understood, expansions are not: a word with one is
// kept as written.
func Words(script string) [][]string {
	s := splitter{blanks: " \t\n()", ends: "&|;"}
	s.read(script)
	return s.commands
}

// Split splits the line of one command into words. Operators are words as others:
// no shell will see them. A line that ends within quotes or at a backslash is an
// error.
func Split(line string) ([]string, error) {
	s := splitter{blanks: " \t\r\n", comments: true}
	if s.read(line); s.open {
		return nil, errors.New("it ends within quotes, or with a backslash")
	}
	if len(s.commands) == 0 {
		return nil, nil
	}
	return s.commands[0], nil
}

// splitter reads words and knows no expansions.
type splitter struct {
	blanks, ends string // what ends a word, and what a command
	comments     bool   // begin with #
	open         bool   // the text ended too early
	commands     [][]string
	command      []string
	word         strings.Builder
	inWord       bool
}

func (s *splitter) endWord() {
	if s.inWord {
		s.command = append(s.command, s.word.String())
		s.word.Reset()
		s.inWord = false
	}
}

func (s *splitter) endCommand() {
	s.endWord()
	if len(s.command) > 0 {
		s.commands, s.command = append(s.commands, s.command), nil
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
		case strings.IndexByte(s.blanks, c) >= 0:
			s.endWord()
		case strings.IndexByte(s.ends, c) >= 0:
			s.endCommand()
		case s.comments && c == '#' && !s.inWord:
			i += strings.IndexByte(text[i:]+"\n", '\n')
		default:
			s.open = c == '\\' // only the last
			s.word.WriteByte(c)
			s.inWord = true
		}
	}
	s.open = s.open || quote != 0
	s.endCommand()
}
