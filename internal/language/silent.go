package language

import "strings"

// Silent are the lines of a source in which nothing can run: empty ones, and those that
// hold comments alone. Some tools that measure coverage, as Node.js does, count each line of
// a function. Of a language whose comments are written in another way, none is known.
func (l *Language) Silent(src string) [][2]int {
	if l.Text.Comment != "//" {
		return nil
	}
	var out [][2]int
	open := 0 // the line in which a comment of several began
	for i, line := range strings.Split(src, "\n") {
		text := strings.TrimSpace(line)
		if open == 0 && strings.HasPrefix(text, "/*") {
			open = i + 1
		}
		switch end := strings.Index(text, "*/"); {
		case open > 0 && end < 0:
		case open > 0 && end == len(text)-2:
			out, open = append(out, [2]int{open, i + 1}), 0
		case open > 0: // code follows in its last line
			out, open = append(out, [2]int{open, i}), 0
		case text == "" || strings.HasPrefix(text, "//"):
			out = append(out, [2]int{i + 1, i + 1})
		}
	}
	return out
}
