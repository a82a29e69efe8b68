// Package runner reads a step's log and command files by the rules of GitHub's
// runner, so that tests see what a job would show. Only tests import it.
//
// The rules are those of actions/runner: ActionCommand and OutputManager for the
// log, EnvFileKeyValuePairs for the files.
package runner

import (
	"fmt"
	"strings"
)

// Annotation is one error, warning or notice command.
type Annotation struct {
	Level      string
	Properties map[string]string
	Message    string
}

// Log is what a runner makes of a step's output.
type Log struct {
	Annotations []Annotation
	Masks       []string
	Matchers    []string // owners of matchers that were removed
	Lines       []string // what a reader sees, commands left out
	// Stopped is set when commands are not obeyed at the end of the step.
	Stopped bool
	// Obeyed are all other commands, by name.
	Obeyed []string
}

// Parse reads a log line by line.
func Parse(log string) Log {
	var out Log
	token := ""
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		name, properties, data, ok := command(line)
		switch {
		case token != "":
			if ok && name == token {
				token = ""
			} else {
				out.Lines = append(out.Lines, line)
			}
			continue
		case !ok:
			out.Lines = append(out.Lines, line)
			continue
		}
		switch name {
		case "stop-commands":
			token = data
		case "error", "warning", "notice":
			out.Annotations = append(out.Annotations, Annotation{Level: name, Properties: properties, Message: data})
		case "add-mask":
			out.Masks = append(out.Masks, data)
		case "remove-matcher":
			out.Matchers = append(out.Matchers, properties["owner"])
		default:
			out.Obeyed = append(out.Obeyed, name)
		}
	}
	out.Stopped = token != ""
	return out
}

// command reads "::name key=value,…::data" after leading spaces, or the older
// "##[name key=value;…]data" anywhere in the line.
func command(line string) (name string, properties map[string]string, data string, ok bool) {
	head, found := strings.CutPrefix(strings.TrimLeft(line, " \t"), "::")
	separator := ","
	if found {
		head, data, ok = strings.Cut(head, "::")
		data = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(data)
	} else if _, rest, old := strings.Cut(line, "##["); old {
		separator = ";"
		head, data, ok = strings.Cut(rest, "]")
	}
	if !ok {
		return "", nil, "", false
	}
	name, list, _ := strings.Cut(head, " ")
	properties = map[string]string{}
	for _, pair := range strings.Split(list, separator) {
		if key, value, set := strings.Cut(strings.TrimSpace(pair), "="); set {
			properties[key] = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(value)
		}
	}
	return name, properties, data, name != ""
}

// KeyValues reads GITHUB_OUTPUT and its like: only a line feed ends a line, and
// a block that has no end fails the step.
func KeyValues(text string) (map[string]string, error) {
	out := map[string]string{}
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if line == "" {
			continue
		}
		eq, here := strings.Index(line, "="), strings.Index(line, "<<")
		switch {
		case eq >= 0 && (here < 0 || eq < here):
			out[line[:eq]] = line[eq+1:]
		case here >= 0:
			name, end := line[:here], line[here+2:]
			var value []string
			for {
				if text == "" {
					return nil, fmt.Errorf("matching delimiter %q not found", end)
				}
				line, rest, _ = strings.Cut(text, "\n")
				text = rest
				if line == end {
					break
				}
				value = append(value, line)
			}
			out[name] = strings.Join(value, "\n")
		default:
			return nil, fmt.Errorf("invalid format %q", line)
		}
	}
	return out, nil
}
