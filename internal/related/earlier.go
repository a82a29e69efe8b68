package related

import (
	"context"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// What became of a function by the change.
const (
	isChanged = "changed"
	isNew     = "new"
)

// Earlier says whether the change altered a function or added it, empty when neither,
// and of a new one what calls it now from other files, as that was: in its own file
// the lines that were taken away are seen.
func (c *Code) Earlier(ctx context.Context, f qa.Focus, src []byte) (became, former string) {
	if _, changed := c.o.Change.File(f.Path); !changed || c.o.Change.Base == "" {
		return "", ""
	}
	switch c.onBase(ctx, f.Path, f.Symbol) {
	case "":
		return isNew, wording.Excerpt(c.former(ctx, f), shown)
	case same(c, f.Path, src, f.Symbol):
		return "", ""
	}
	return isChanged, ""
}

// onBase is the text on base of a function of a changed file, empty when it had
// none.
func (c *Code) onBase(ctx context.Context, path, symbol string) string {
	file, ok := c.o.Change.File(path)
	if !ok || c.o.Change.Base == "" {
		return ""
	}
	return same(c, file.BasePath(), c.o.Before(ctx, file), symbol)
}

// former is what calls a new function from other files as it was before the change:
// what was taken out of there is what the new function has to do.
func (c *Code) former(ctx context.Context, f qa.Focus) string {
	var out []string
	for _, at := range c.graph().Callers(f.Path, f.Symbol) {
		src, err := c.o.Read(at.Path)
		if err != nil || at.Function.Test || at.Path == f.Path {
			continue
		}
		if before := c.onBase(ctx, at.Path, at.Function.Name); before != "" && before != same(c, at.Path, src, at.Function.Name) {
			out = append(out, at.Path+"\n"+before)
		}
	}
	return strings.Join(out, "\n\n")
}

// same is a function's text in a file; one that cannot be read has none.
func same(c *Code, file string, src []byte, symbol string) string {
	parsed, _ := c.Parse(file, src)
	return function(parsed, src, symbol)
}

// function is the text of one that an outline has.
func function(parsed qa.Outline, src []byte, symbol string) string {
	lines := strings.Split(string(src), "\n")
	for _, fn := range parsed.Functions {
		if fn.Name == symbol && fn.Lines.End <= len(lines) {
			return strings.Join(lines[fn.Lines.Start-1:fn.Lines.End], "\n")
		}
	}
	return ""
}
