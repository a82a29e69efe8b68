package strategist

import (
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// Outlines are those of the changed source files.
func Outlines(c checkout.Checkout) map[string]qa.Outline {
	out := map[string]qa.Outline{}
	for _, f := range c.Change.Of(qa.KindSource) {
		src, err := c.Read(f.Path)
		if err != nil || !syntax.Supported(f.Path) {
			continue
		}
		if o, err := outline.Parse(f.Path, src); err == nil {
			out[f.Path] = o
		}
	}
	return out
}

// Examples are the test files to learn from: those that ran, and those of the
// change.
func Examples(c qa.Change, ran []string) []string {
	for _, f := range c.Of(qa.KindTest) {
		if !slices.Contains(ran, f.Path) {
			ran = append(ran, f.Path)
		}
	}
	return slices.DeleteFunc(ran, func(p string) bool {
		kind, _, _ := change.Classify(p, nil)
		return kind != qa.KindTest
	})
}
