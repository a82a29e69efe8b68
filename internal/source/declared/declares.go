// Package declared finds what a file declares outside of functions: constants, tables,
// types with their fields. Start at [In].
package declared

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/qa"
)

// How declarations outside of functions begin. Within a block only what is
// assigned counts (fields of a class, constants of a Go block): a key of a table
// is no name that others use.
var (
	outerName  = pattern.New(`^(?:(?:export|default|declare|abstract|const|let|var|type|class|enum|interface|namespace)\s+)*([A-Za-z_$][\w$.]*)(\(?)`)
	innerName  = pattern.New(`^(?:(?:static|public|private|protected|readonly|declare|override|const|let|var)\s+)*([A-Za-z_$#][\w$]*)(?:[!?:\s][^=,]*)?=(?:[^=>]|$)`)
	innerTable = pattern.New(`^([A-Za-z_$][\w$]*)\s*:\s*[{\[]\s*(?://.*)?$`)
	goConst    = pattern.New(`^[A-Za-z_]\w*(?:\s*//.*)?$`)
)

// noName are first words of lines that declare nothing.
var noName = []string{"import", "from", "package", "if", "else", "for", "while", "try", "with", "switch", "return", "export", "default", "const", "var", "let", "type"}

// Around are the names that lines outside of functions declare, and then
// what holds them, from the inside out.
func Around(lines []string, at qa.Range) [][]string {
	var own []string
	depth := -1
	for n := at.Start; n <= min(at.End, len(lines)); n++ {
		text := strings.TrimLeft(lines[n-1], " \t")
		if text == "" {
			continue
		}
		indent := len(lines[n-1]) - len(text)
		if name := declares(text, indent); name != "" {
			own = append(own, name)
		}
		if strings.ContainsAny(text[:1], ")]}") {
			indent++ // it belongs to the line that opened it
		}
		if depth < 0 || indent < depth {
			depth = indent
		}
	}
	var out [][]string
	if len(own) > 0 {
		out = append(out, own)
	}
	for n := min(at.Start, len(lines)+1) - 1; n >= 1 && depth > 0; n-- {
		text := strings.TrimLeft(lines[n-1], " \t")
		indent := len(lines[n-1]) - len(text)
		if text == "" || indent >= depth {
			continue
		}
		depth = indent
		if name := cmp.Or(declares(text, indent), holds(text)); name != "" {
			out = append(out, []string{name})
		}
	}
	return out
}

// holds is the name of an entry of a table that begins another table: others ask for it
// by its name, as they do not for what is in it.
func holds(text string) string {
	if m := innerTable.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// declares is the name that a line declares, its last part when it is qualified;
// empty when there is none.
func declares(text string, indent int) string {
	if indent > 0 {
		if goConst.MatchString(text) {
			name, _, _ := strings.Cut(text, "//")
			return strings.TrimSpace(name)
		}
		if m := innerName.FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return ""
	}
	m := outerName.FindStringSubmatch(text)
	if m == nil || m[2] != "" && !strings.HasPrefix(text, "class ") || slices.Contains(noName, m[1]) {
		return ""
	}
	return m[1][strings.LastIndexByte(m[1], '.')+1:]
}
