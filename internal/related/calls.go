package related

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// Callers are up to five places that call a function of a file, with the lines that
// do: tests aside, and what is seen of the file already.
func (c *Code) Callers(seen Side, symbol string) string {
	var out []string
	call := regexp.MustCompile(`\b` + regexp.QuoteMeta(symbol[strings.LastIndexByte(symbol, '.')+1:]) + `\b`)
	for _, at := range c.graph().Callers(seen.Path, symbol) {
		if len(out) == 5 {
			break
		}
		if at.Function.Test || seen.shows(at) {
			continue
		}
		text := fmt.Sprintf("%s: %s", at.Path, cmp.Or(at.Function.Signature, at.Function.Name))
		for _, line := range c.lines(at.Path, at.Function.Lines) {
			if !strings.Contains(at.Function.Signature, strings.TrimSpace(line)) && call.MatchString(line) {
				text += "\n\t" + strings.TrimSpace(line)
				break
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// smallBody is how many lines a function has at most that is shown whole where it is
// called.
const smallBody = 12

// Callees are the comments and signatures of what a function of a file calls, small
// functions whole, but for what is seen of the file already.
func (c *Code) Callees(seen Side, symbol string) string {
	var out []string
	for _, at := range c.graph().Callees(seen.Path, symbol) {
		if seen.shows(at) {
			continue
		}
		shown := cmp.Or(at.Function.Signature, at.Function.Name)
		if at.Function.Lines.Len() <= smallBody {
			shown = cmp.Or(strings.Join(c.lines(at.Path, at.Function.Lines), "\n"), shown)
		}
		text := strings.TrimSpace(at.Function.Doc + "\n" + shown)
		if at.Path != seen.Path {
			text = at.Path + ": " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// Body is a function that calls, as it stands in its file.
func (c *Code) Body(at outline.Caller) string {
	return strings.Join(c.lines(at.Path, at.Function.Lines), "\n")
}

func (c *Code) lines(file string, at qa.Range) []string {
	src, err := c.o.Read(file)
	if err != nil {
		return nil
	}
	lines := strings.Split(string(src), "\n")
	if at.Start < 1 || at.End > len(lines) {
		return nil
	}
	return lines[at.Start-1 : at.End]
}
