// Package related knows what stands around a changed function: who calls it and
// what it calls, what it was before the change, which lines outside of functions
// it uses, and what else of the repository a reply of a model may ask to see.
// Start at [New].
package related

import (
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
	"golang.org/x/mod/modfile"
)

// Bounds of what is shown and of the search for it.
const (
	// Files is how many source files are looked at for callers.
	Files      = 400
	graphBytes = 512 << 10
	shown      = 3000 // characters of callers, callees and former code
	shownLook  = 8000 // characters of what a reply may ask to see
)

// Code is the source around a change. It is safe for concurrent use.
type Code struct {
	outline.Store // of all that the run reads of it
	o             checkout.Checkout
	graph         func() *outline.Graph
	// declarations are those of the files that were asked for, by path.
	declarations sync.Map
}

// New is the code of a checkout; nothing is read before it is asked for.
func New(o checkout.Checkout) *Code {
	c := &Code{o: o}
	c.graph = sync.OnceValue(c.build)
	return c
}

// Outlines are those of the source files that the change touches.
func Outlines(c *Code) map[string]qa.Outline {
	out := map[string]qa.Outline{}
	for _, f := range c.o.Change.Of(qa.KindSource) {
		if o, _, err := c.parse(f.Path); err == nil {
			out[f.Path] = o
		}
	}
	return out
}

// Graph is who imports and calls whom, of the first [Files] source files.
func (c *Code) Graph() *outline.Graph { return c.graph() }

func (c *Code) build() *outline.Graph {
	var outlines []qa.Outline
	modules := map[string]string{}
	bytes := 0
	_ = fs.WalkDir(rooted.FS(c.o.Root), ".", func(rel string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read has no callers
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && rel != "." || rel == c.o.Own || language.IsInstalled(d.Name()) || language.IsVendored(d.Name()) || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || len(outlines) >= Files || bytes > graphBytes {
			return nil // bounded on purpose
		}
		src, err := c.o.Read(rel)
		if err != nil {
			return nil //nolint:nilerr // what cannot be read has no callers
		}
		if path.Base(rel) == "go.mod" {
			modules[strings.TrimPrefix(path.Dir(rel), ".")] = modfile.ModulePath(src)
		}
		if syntax.Supported(rel) {
			bytes += len(src)
			if o, err := c.Parse(rel, src); err == nil {
				outlines = append(outlines, o)
			}
		}
		return nil
	})
	return outline.NewGraph(outlines, modules)
}

// Excerpt bounds a text that is shown to a model, with a sign of what is missing.
func Excerpt(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return wording.Bytes(text, n) + "\n…"
}
