package python

import (
	"strings"

	"github.com/org/qa-action/internal/framework/script/nox"
	"github.com/org/qa-action/internal/pattern"
)

// definesPython: functions that begin with "test" in a module, or as methods of
// a class that pytest or unittest collects.
func Defines(src []byte) bool {
	type block struct {
		indent   int
		class    bool
		collects bool
	}
	var open []block
	for _, line := range strings.Split(code(src), "\n") {
		text := strings.TrimLeft(line, " \t\f")
		if text == "" {
			continue
		}
		indent := len(line) - len(text)
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		if m := pyFunction.FindStringSubmatch(text); m != nil {
			inside := len(open) == 0 || open[len(open)-1].class && open[len(open)-1].collects
			if inside && strings.HasPrefix(m[1], "test") {
				return true
			}
			open = append(open, block{indent: indent})
		} else if m := pyClass.FindStringSubmatch(text); m != nil {
			outer := len(open) == 0 || open[len(open)-1].collects
			open = append(open, block{indent: indent, class: true, collects: outer && (strings.HasPrefix(m[1], "Test") || strings.Contains(m[2], "Test"))})
		}
	}
	return false
}

var (
	pyFunction = pattern.New(`^(?:async\s+)?def\s+(\w+)`)
	pyClass    = pattern.New(`^class\s+(\w+)\s*(?:\(([^)]*)\)?)?`)
)

// code takes out strings and comments; lines stay lines.
func code(src []byte) string {
	var out strings.Builder
	for _, piece := range nox.Pieces(string(src)) {
		if len(piece) > 1 {
			piece = `""`
		}
		out.WriteString(piece)
	}
	return out.String()
}
