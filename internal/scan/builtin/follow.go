package builtin

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// follow looks for a check in the functions of the repository that the words
// of a function name: those of its file, of the files it imports, of its
// package in Go, and the fixtures of its directories in Python.
func (c *checker) follow(f *engine.File, o qa.Outline, fn qa.Function, words map[string]bool, depth int) bool {
	if c.named(f, o, fn, words, depth) {
		return true
	}
	for _, im := range o.Imports {
		asked := map[string]bool{}
		for i, name := range im.Names {
			switch {
			case name == "*" || words[name] && (i >= len(im.From) || im.From[i] == "*" || im.From[i] == "default"):
				asked = words // any of its functions may be meant
			case words[name]:
				asked[im.From[i]] = true
			}
		}
		if len(asked) > 0 && c.judges(f, im, asked, depth) {
			return true
		}
	}
	for _, p := range c.around(f) {
		if other := c.open(p, f.Language); other != nil {
			if oo, ok := other.Outline(); ok && c.named(other, oo, qa.Function{}, words, depth) {
				return true
			}
		}
	}
	return false
}

// named looks at the functions of a file that the words name.
func (c *checker) named(f *engine.File, o qa.Outline, from qa.Function, words map[string]bool, depth int) bool {
	for _, fn := range o.Functions {
		name := fn.Name[strings.LastIndexByte(fn.Name, '.')+1:]
		if words[name] && !fn.Test && fn.Lines != from.Lines && c.checks(f, o, fn, depth+1) {
			return true
		}
	}
	return false
}

// judges looks into the file that an import means. Of a file that serves tests
// and does not define what is asked of it nobody knows: it may hand on another
// one's checks.
func (c *checker) judges(f *engine.File, im qa.Import, asked map[string]bool, depth int) bool {
	for _, p := range places(f, im) {
		other := c.open(p, f.Language)
		if other == nil {
			continue
		}
		o, ok := other.Outline()
		if !ok || o.Broken {
			return helpers.MatchString(p)
		}
		if c.named(other, o, qa.Function{}, asked, depth) {
			return true
		}
		if helpers.MatchString(path.Base(p)) && !defines(o, asked) {
			return true
		}
		if depth+1 < followDepth && helpers.MatchString(p) && handsOn(o, asked) {
			return c.follow(other, o, qa.Function{}, asked, depth+1)
		}
		return false
	}
	return false
}

func defines(o qa.Outline, asked map[string]bool) bool {
	return slices.ContainsFunc(o.Functions, func(fn qa.Function) bool { return asked[fn.Name[strings.LastIndexByte(fn.Name, '.')+1:]] })
}

// handsOn reports a file that imports what is asked of it.
func handsOn(o qa.Outline, asked map[string]bool) bool {
	return slices.ContainsFunc(o.Imports, func(im qa.Import) bool {
		return slices.ContainsFunc(im.Names, func(name string) bool { return asked[name] || name == "*" })
	})
}

// places are the files of the repository that an import may mean.
func places(f *engine.File, im qa.Import) []string {
	var out []string
	switch f.Language {
	case "javascript", "typescript":
		if !strings.HasPrefix(im.Path, ".") {
			return nil
		}
		at := path.Join(path.Dir(f.Path), im.Path)
		bare := strings.TrimSuffix(at, path.Ext(at))
		out = append(out, at)
		for _, ext := range slices.Concat(language.Named("javascript").Extensions, language.Named("typescript").Extensions) {
			out = append(out, at+ext, bare+ext, at+"/index"+ext)
		}
	case "python":
		rel := strings.TrimLeft(im.Path, ".")
		up := len(im.Path) - len(rel)
		rel = strings.ReplaceAll(rel, ".", "/")
		dir := path.Dir(f.Path)
		for range max(up-1, 0) {
			dir = path.Dir(dir)
		}
		dirs := []string{dir}
		for ; up == 0 && dir != "."; dirs = append(dirs, dir) {
			dir = path.Dir(dir)
		}
		for _, d := range append(dirs, "src") {
			for _, name := range append([]string{""}, im.From...) { // "from . import helpers" names a file
				at := path.Join(d, rel, name)
				out = append(out, at+".py", at+"/__init__.py")
			}
		}
	}
	return out
}

// around are the files whose functions need no import.
func (c *checker) around(f *engine.File) []string {
	var out []string
	dir := path.Dir(f.Path)
	switch f.Language {
	case "go":
		entries, err := fs.ReadDir(c.tree.Root.FS(), dir)
		if err != nil {
			return nil
		}
		for _, e := range entries {
			if p := path.Join(dir, e.Name()); language.Named(f.Language).Tests.Names.MatchString(e.Name()) && p != f.Path {
				out = append(out, p)
			}
		}
	case "python":
		for {
			for _, name := range language.Named(f.Language).Tests.Support {
				out = append(out, path.Join(dir, name))
			}
			if dir == "." {
				break
			}
			dir = path.Dir(dir)
		}
	}
	return out
}

// open reads a file of the repository once; nil when there is none, or when
// enough were read.
func (c *checker) open(p, language string) *engine.File {
	f, known := c.read[p]
	if known {
		return f
	}
	if f = c.tree.ByPath[p]; f == nil && c.opened < followFiles {
		if src := c.tree.Content(p); src != nil {
			c.opened++
			f = engine.NewFile(qa.FileChange{Path: p, Language: language}, engine.Decode(src), c.outline)
		}
	}
	c.read[p] = f
	return f
}
