package shell

import "strings"

// Words splits a script at shell operators into commands and these into words.
// Quotes and backslashes are understood, expansions are not: a word with one is
// kept as written.
func Words(script string) [][]string {
	var commands [][]string
	var command []string
	var word strings.Builder
	inWord := false
	quote := byte(0)
	endWord := func() {
		if inWord {
			command = append(command, word.String())
			word.Reset()
			inWord = false
		}
	}
	endCommand := func() {
		endWord()
		if len(command) > 0 {
			commands = append(commands, command)
			command = nil
		}
	}
	for i := 0; i < len(script); i++ {
		c := script[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(script):
			i++
			word.WriteByte(script[i])
			inWord = true
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '(' || c == ')':
			endWord()
		case c == '&' || c == '|' || c == ';':
			endCommand()
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	endCommand()
	return commands
}
