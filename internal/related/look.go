package related

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Look answers what a reply asks to see: functions, types and constants by
// name, files by path. Only source and test files that git knows are shown, and
// only so much of them.
func (c *Code) Look(ctx context.Context, names []string) string {
	var b strings.Builder
	for _, name := range names {
		if b.Len() >= shownLook {
			break
		}
		text := c.seek(ctx, strings.TrimSpace(name))
		if text == "" {
			text = "not found, or not to be shown"
		}
		fmt.Fprintf(&b, "%s:\n%s\n\n", wording.Excerpt(name, 200), wording.Excerpt(text, shownLook/2))
	}
	return wording.Excerpt(b.String(), shownLook)
}

func (c *Code) seek(ctx context.Context, name string) string {
	file := path.Clean(strings.TrimPrefix(name, "./"))
	if syntax.Supported(file) && filepath.IsLocal(filepath.FromSlash(file)) && c.tracked(ctx, file) {
		if text, err := c.o.Read(file); err == nil {
			return overview(c, file, text)
		}
	}
	in, symbol := wanted(name)
	if symbol == "" {
		return ""
	}
	var out []string
	found := c.graph().Find(symbol)
	if there := each.Where(found, func(at outline.Caller) bool { return at.Path == in }); len(there) > 0 {
		found = there
	}
	for _, at := range found {
		if len(out) < 3 && c.tracked(ctx, at.Path) {
			out = append(out, at.Path+"\n"+strings.Join(c.lines(at.Path, at.Function.Lines), "\n"))
		}
	}
	if len(out) == 0 {
		out = c.declared(ctx, in, symbol)
	}
	return strings.Join(out, "\n\n")
}

// overview is a file, and of one that is too long to be shown its head and how its
// functions begin: whoever reads that can ask for one of them.
func overview(c *Code, file string, text []byte) string {
	parsed, err := c.Parse(file, text)
	if len(text) <= shownLook/2 || err != nil || len(parsed.Functions) == 0 {
		return string(text)
	}
	head := text[:min(parsed.Functions[0].StartByte, shownLook/4)]
	out := []string{strings.TrimSpace(string(head)), "… and its functions:"}
	for _, f := range parsed.Functions {
		if !f.Test {
			out = append(out, cmp.Or(f.Signature, f.Name))
		}
	}
	return strings.Join(out, "\n")
}

// introducing are words with which a name is introduced.
var introducing = []string{"class", "function", "func", "def", "fn", "method", "constructor", "type", "interface", "enum", "struct", "const", "constant", "var", "let", "async", "static", "the", "of"}

// wanted is the file that a wish names, if any, and what of it: the wish is in the words
// of whoever asks, "src/cart.py: class Cart (its constructor)".
func wanted(wish string) (file, symbol string) {
	var rest string
	if before, after, ok := strings.Cut(wish, ":"); ok && syntax.Supported(before) {
		file, rest = path.Clean(strings.TrimPrefix(before, "./")), after
	} else {
		rest = wish[strings.LastIndexAny(wish, ":/#")+1:]
	}
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "(") { // a receiver
		_, rest, _ = strings.Cut(rest, ")")
	}
	rest, _, _ = strings.Cut(rest, "(")
	for _, word := range strings.Fields(rest) {
		if !slices.Contains(introducing, word) {
			symbol = strings.Trim(word, "`'\",;")
		}
	}
	return file, symbol
}

// declared finds what is no function: a type, a class, a constant; in a certain file
// before others.
func (c *Code) declared(ctx context.Context, in, symbol string) []string {
	const most = 2
	declaration := regexp.MustCompile(`(?m)^\s*(?:export\s+)?(?:default\s+|abstract\s+|declare\s+)*(?:class|type|interface|enum|const|let|var)\s+` + regexp.QuoteMeta(symbol) + `\b|(?m)^` + regexp.QuoteMeta(symbol) + `\s*[:=]`)
	var out []string
	files := c.graph().Files()
	if i := slices.Index(files, in); i > 0 {
		files = append([]string{in}, slices.Delete(files, i, i+1)...)
	}
	for _, file := range files {
		src, err := c.o.Read(file)
		if err != nil || len(out) == most {
			continue
		}
		at := declaration.FindIndex(src)
		if at == nil || !c.tracked(ctx, file) {
			continue
		}
		out = append(out, file+"\n"+opening(strings.TrimLeft(string(src[at[0]:]), "\n")))
	}
	return out
}

// opening is a declaration at the start of a text: up to an empty line outside
// of brackets, and no more than its first lines.
func opening(text string) string {
	const most = 30
	lines := strings.Split(text, "\n")
	depth := 0
	for i, line := range lines {
		depth += strings.Count(line, "{") + strings.Count(line, "(") + strings.Count(line, "[")
		depth -= strings.Count(line, "}") + strings.Count(line, ")") + strings.Count(line, "]")
		if i == most || i > 0 && depth <= 0 && strings.TrimSpace(line) == "" {
			return strings.Join(lines[:i], "\n")
		}
	}
	return text
}

// tracked reports whether git knows a file: what is ignored is not shown.
func (c *Code) tracked(ctx context.Context, file string) bool {
	if _, ok := c.o.Change.File(file); ok {
		return true
	}
	_, err := c.o.Content(ctx, cmp.Or(c.o.Change.Measured, c.o.Change.Head), file)
	return err == nil
}
