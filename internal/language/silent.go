package language

import "strings"

// Silent are the lines of a source in which nothing can run: empty ones, and those that
// hold comments alone. Some tools that measure coverage, as Node.js does, count each line of
// a function. Within a comment of several lines those count that begin with a star: what
// looks like its beginning may stand in a text, and code after that. Of a language whose
// comments are written in another way, none is known.
func (l *Language) Silent(src string) [][2]int {
	if l.Text.Comment != "//" {
		return nil
	}
	var out, inside [][2]int
	open := false // a comment of several lines, or a text that looks like one
	for i, line := range strings.Split(src, "\n") {
		text, at := strings.TrimSpace(line), [2]int{i + 1, i + 1}
		if !open && strings.HasPrefix(text, "/*") {
			open, inside = true, nil
		}
		switch end := strings.Index(text, "*/"); {
		case open:
			marked := text == "" || strings.HasPrefix(text, "*") || strings.HasPrefix(text, "/*")
			if marked && (end < 0 || end == len(text)-2) { // else code follows
				inside = append(inside, at)
			}
			if end >= 0 {
				out, open = append(out, inside...), false
			}
		case text == "" || strings.HasPrefix(text, "//"):
			out = append(out, at)
		}
	}
	return out
}
