package language

import (
	"path"
	"strings"
)

// HasInline reports a file in which tests stand among what they test, and not alone.
func (l *Language) HasInline(file string) bool {
	if !l.Tests.Inline || l.Tests.Names != nil && l.Tests.Names.MatchString(path.Base(file)) {
		return false
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "tests" || dir == "benches" || dir == "examples" {
			return false
		}
	}
	return true
}

// InlineTests are the lines of tests that stand inside a source file, from the mark
// to the end of its block, which formatters put below where it began.
func (l *Language) InlineTests(src string) [][2]int {
	if !l.Tests.Inline || !l.Tests.Mark.MatchString(src) {
		return nil
	}
	var out [][2]int
	end := ""
	for i, line := range strings.Split(src, "\n") {
		text := strings.TrimRight(line, " \t\r")
		bare := strings.TrimLeft(text, " \t")
		switch {
		case end != "":
			last := &out[len(out)-1]
			last[1] = i + 1
			if text == end || last[1] == last[0]+1 && strings.HasSuffix(bare, ";") { // mod tests; is another file
				end = ""
			}
		case l.Tests.Mark.MatchString(text):
			out = append(out, [2]int{i + 1, i + 1})
			end = text[:len(text)-len(bare)] + "}"
		}
	}
	return out
}
