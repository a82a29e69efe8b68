// Package related knows what stands around a changed function: who calls it and
// what it calls, what it was before the change, which lines outside of functions
// it uses, and what else of the repository a reply of a model may ask to see.
// Start at [New].
package related

import (
	"sync"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// Bounds of what is shown.
const (
	shown     = 3000 // characters of callers, callees and former code
	shownLook = 8000 // characters of what a reply may ask to see
)

// Code is the source around a change. It is safe for concurrent use.
type Code struct {
	outline.Store // of all that the run reads of it
	o             checkout.Checkout
	graph         func() *outline.Graph
	bounds        bounds
	// Known with the graph: all source files, and whether it is of a part of them.
	files []string
	cut   bool
	// declarations are those of the files that were asked for, by path.
	declarations sync.Map
	code         sync.Map                   // files without comments and strings, by path
	kin          sync.Map                   // classes above one, by where it stands
	said         func() map[string][]string // the source files that say a name
}

// New is the code of a checkout; nothing is read before it is asked for.
func New(o checkout.Checkout) *Code {
	c := &Code{o: o, bounds: narrow}
	c.graph = sync.OnceValue(c.build)
	c.said = sync.OnceValue(func() map[string][]string { return sayers(c) })
	return c
}

// Wide is [New] for who waits for a model, beside which more of the source costs little.
func Wide(o checkout.Checkout) *Code {
	c := New(o)
	c.bounds = wide
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
