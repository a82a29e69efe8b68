package mode

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/source"
)

// callers are up to five places that call a function, with the lines that do.
func (r *run) callers(file, symbol string) string {
	var out []string
	call := regexp.MustCompile(`\b` + regexp.QuoteMeta(symbol[strings.LastIndexByte(symbol, '.')+1:]) + `\b`)
	for _, c := range r.imports().Callers(file, symbol) {
		if len(out) == 5 {
			break
		}
		text := fmt.Sprintf("%s: %s", c.Path, cmp.Or(c.Function.Signature, c.Function.Name))
		for _, line := range r.lines(c.Path, c.Function.Lines) {
			if !strings.Contains(c.Function.Signature, strings.TrimSpace(line)) && call.MatchString(line) {
				text += "\n\t" + strings.TrimSpace(line)
				break
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// callees are the comments and signatures of what a function calls; outside
// leaves out those of its own file.
func (r *run) callees(file, symbol string, outside bool) string {
	var out []string
	for _, c := range r.imports().Callees(file, symbol) {
		if outside && c.Path == file {
			continue
		}
		text := strings.TrimSpace(c.Function.Doc + "\n" + cmp.Or(c.Function.Signature, c.Function.Name))
		if c.Path != file {
			text = c.Path + ": " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

func (r *run) lines(file string, at qa.Range) []string {
	src, err := r.read(file)
	if err != nil {
		return nil
	}
	lines := strings.Split(string(src), "\n")
	if at.Start < 1 || at.End > len(lines) {
		return nil
	}
	return lines[at.Start-1 : at.End]
}

// look answers what a reply asks to see: functions, types and constants by
// name, files by path. Only source and test files that git knows are shown, and
// only so much of them.
func (r *run) look(ctx context.Context, names []string) string {
	var b strings.Builder
	for _, name := range names {
		if b.Len() >= shownLook {
			break
		}
		text := r.seek(ctx, strings.TrimSpace(name))
		if text == "" {
			text = "not found, or not to be shown"
		}
		fmt.Fprintf(&b, "%s:\n%s\n\n", limit(name, 200), limit(text, shownLook/2))
	}
	return limit(b.String(), shownLook)
}

func (r *run) seek(ctx context.Context, name string) string {
	file := path.Clean(strings.TrimPrefix(name, "./"))
	if source.Supported(file) && filepath.IsLocal(filepath.FromSlash(file)) && r.tracked(ctx, file) {
		if text, err := r.read(file); err == nil {
			return string(text)
		}
	}
	symbol := strings.TrimRight(name[strings.LastIndexAny(name, ":/#")+1:], "()")
	if symbol == "" {
		return ""
	}
	var out []string
	for _, c := range r.imports().Find(symbol) {
		if len(out) < 3 && r.tracked(ctx, c.Path) {
			out = append(out, c.Path+"\n"+strings.Join(r.lines(c.Path, c.Function.Lines), "\n"))
		}
	}
	if len(out) == 0 {
		out = r.declared(ctx, symbol)
	}
	return strings.Join(out, "\n\n")
}

// declared finds what is no function: a type, a class, a constant.
func (r *run) declared(ctx context.Context, symbol string) []string {
	const most = 2
	declaration := regexp.MustCompile(`(?m)^\s*(?:export\s+)?(?:default\s+|abstract\s+|declare\s+)*(?:class|type|interface|enum|const|let|var)\s+` + regexp.QuoteMeta(symbol) + `\b|(?m)^` + regexp.QuoteMeta(symbol) + `\s*[:=]`)
	var out []string
	for _, file := range r.imports().Files() {
		src, err := r.read(file)
		if err != nil || len(out) == most {
			continue
		}
		at := declaration.FindIndex(src)
		if at == nil || !r.tracked(ctx, file) {
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
func (r *run) tracked(ctx context.Context, file string) bool {
	if _, ok := r.Change.File(file); ok {
		return true
	}
	_, err := r.Content(ctx, cmp.Or(r.Change.Measured, r.Change.Head), file)
	return err == nil
}

// imports is who imports whom, of a bounded part of the repository.
func (r *run) imports() *source.Graph {
	r.graphOnce.Do(func() { r.graph = r.buildGraph() })
	return r.graph
}

func (r *run) buildGraph() *source.Graph {
	var outlines []qa.Outline
	modules := map[string]string{}
	bytes := 0
	own, _ := filepath.Rel(r.Root, r.Output.Path())
	_ = fs.WalkDir(rooted.FS(r.Root), ".", func(rel string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read has no callers
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && rel != "." || rel == filepath.ToSlash(own) || d.Name() == "node_modules" || d.Name() == "vendor" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || len(outlines) >= graphFiles || bytes > graphBytes {
			return nil // bounded on purpose
		}
		src, err := r.read(rel)
		if err != nil {
			return nil //nolint:nilerr // what cannot be read has no callers
		}
		if path.Base(rel) == "go.mod" {
			modules[strings.TrimPrefix(path.Dir(rel), ".")] = moduleOf(src)
		}
		if source.Supported(rel) {
			bytes += len(src)
			if o, err := source.Parse(rel, src); err == nil {
				outlines = append(outlines, o)
			}
		}
		return nil
	})
	return source.NewGraph(outlines, modules)
}

func moduleOf(gomod []byte) string {
	for _, line := range strings.Split(string(gomod), "\n") {
		if m, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.TrimSpace(m)
		}
	}
	return ""
}
