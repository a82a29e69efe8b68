package assemble

import (
	"context"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
)

// renames takes tests that only have another name out of those removed and added.
func renames(b *baseline.Baseline, c checkout.Checkout, t *qa.Tests) {
	var before, after []qa.Case
	for _, run := range b.Runs {
		if run.Base != nil {
			before, after = append(before, run.Base.Suite.Cases...), append(after, run.Tests.Cases...)
		}
	}
	kept := map[string][]string{}
	quality.Renames(t, before, after, func(head bool, file string) []string {
		key := fmt.Sprint(head, file)
		if lines, ok := kept[key]; ok {
			return lines
		}
		text := c.Text(file)
		if !head {
			text = nil
			if f, ok := c.Change.File(file); ok && c.Content != nil { // another file is the same on both sides
				text, _ = c.Content(context.Background(), c.Change.Base, f.BasePath())
			}
		}
		if text != nil {
			kept[key] = strings.Split(string(text), "\n")
		}
		return kept[key]
	})
}
