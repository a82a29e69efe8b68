package tap

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

var (
	// "'Value is not `true`:': 'false'", "'Rejected promise returned by test. Reason:': |-"
	avaLabel = pattern.New(`^'((?:[^']|'')+:)':(?: (.*))?$`)
	// "TypeError {", "Error (LaunchError) {"
	avaError = pattern.New(`^([\w$.]+)(?: \(([\w$. ]+)\))? \{$`)
	avaText  = pattern.New("^message: (['\"`])(.*)$")
)

// reasons are the message and the details of a block of ava as people would say
// them. Its message is the same for all that is thrown, what was thrown stands in
// the details: without it, failures of different causes would look alike.
func reasons(message, details string) (said, rest string) {
	label, value := "", []string{}
	var all []string
	flush := func() {
		if label != "" || len(value) > 0 {
			all = append(all, strings.TrimSpace(label+lead(value)+thrown(value)))
		}
		label, value = "", nil
	}
	for line := range strings.Lines(details) {
		line = strings.TrimRight(line, "\n")
		if m := avaLabel.FindStringSubmatch(line); m != nil {
			flush()
			label = strings.ReplaceAll(m[1], "''", "'")
			if !blockScalar(m[2]) {
				value = append(value, unquoted(m[2]))
			}
			continue
		}
		value = append(value, line)
	}
	flush()
	details = strings.Join(all, "\n")
	why, repeated := strings.CutPrefix(details, message)
	if message == "" || !repeated {
		return message, details
	}
	why = strings.TrimPrefix(strings.TrimPrefix(why, ". Reason"), ":")
	return message + ": " + strings.TrimSpace(why), details
}

// lead stands between a label and its value: a value of one line follows it there.
func lead(value []string) string {
	if len(value) == 1 || thrown(value) != strings.Join(value, "\n") {
		return " "
	}
	return "\n"
}

// thrown is a value as people would say it: of an error its name and the first
// line of its message, everything else as it is.
func thrown(value []string) string {
	whole := strings.Join(value, "\n")
	if len(value) == 0 {
		return whole
	}
	kind := avaError.FindStringSubmatch(value[0])
	if kind == nil {
		return whole
	}
	for _, line := range value[1:] {
		if m := avaText.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			name, text := kind[1], strings.TrimSuffix(m[2], ",")
			if kind[2] != "" {
				name = kind[2]
			}
			text = strings.TrimSuffix(strings.TrimSuffix(text, m[1]), "␊")
			return name + ": " + strings.ReplaceAll(text, `\`+m[1], m[1])
		}
	}
	return whole
}

// unquoted is a value of YAML without the quotes around it.
func unquoted(value string) string {
	if len(value) > 1 && value[0] == '\'' && strings.HasSuffix(value, "'") {
		return strings.ReplaceAll(value[1:len(value)-1], "''", "'")
	}
	return value
}
