package related

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// mostPublic is how many ways to a private function are named.
const mostPublic = 3

// Public are the functions of the product that others may call and that reach a private
// one; none for a function that others may call themselves, as far as its file tells.
func Public(graph *outline.Graph, file, symbol string) []string {
	at, known := each.First(graph.Find(symbol), func(at outline.Caller) bool { return at.Path == file && at.Function.Name == symbol })
	if !known || public(at) {
		return nil
	}
	seen := map[Site]bool{site(at): true}
	level := []Site{site(at)}
	var out []string
	for range reachSteps {
		var next []Site
		for _, below := range level {
			for _, at := range graph.Callers(below.Path, below.Symbol) {
				kind, _, _ := change.Classify(at.Path, nil)
				if seen[site(at)] || at.Guess || at.Function.Test || kind == qa.KindTest || change.IsExample(at.Path) {
					continue
				}
				seen[site(at)] = true
				if public(at) {
					out = append(out, at.Function.Name)
				} else {
					next = append(next, site(at))
				}
			}
		}
		level = next[:min(len(next), reachMost)]
	}
	return out[:min(len(out), mostPublic)]
}

// public reports whether others may call a function. A method of Go with a public name may
// be reached through an interface whatever its type is called.
func public(at outline.Caller) bool {
	if path.Ext(at.Path) == ".go" {
		first, _ := utf8.DecodeRuneInString(at.Function.Name[strings.LastIndexByte(at.Function.Name, '.')+1:])
		return unicode.IsUpper(first)
	}
	return at.Function.Exported
}
