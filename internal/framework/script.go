package framework

import "strings"

// words splits a script at shell operators into commands and these into words.
// Quotes and backslashes are understood, expansions are not: a word with one is
// kept as written.
func words(script string) [][]string {
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

// without filters options out of args. dropped maps an option's name to whether
// it is followed by a value; "--x." as a key drops all options of that prefix.
func without(args []string, dropped map[string]bool) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		value, drop := dropped[name]
		if dot := strings.IndexByte(name, '.'); !drop && dot > 0 && strings.HasPrefix(name, "--") {
			value, drop = dropped[name[:dot+1]]
		}
		if !drop {
			out = append(out, args[i])
			continue
		}
		if value && !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
		}
	}
	return out
}
