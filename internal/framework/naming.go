package framework

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/shell"
)

// name gives the detections of a directory names of their own: by script, else
// by program, else by both, else with the variables that tell them apart, else with a
// number.
func name(found []adapter.Detection) []adapter.Detection {
	by := map[string][]*adapter.Detection{}
	for i := range found {
		by[found[i].Dir] = append(by[found[i].Dir], &found[i])
	}
	byProgram := func(d adapter.Detection) string { return cmp.Or(d.Label, d.Framework) }
	for _, list := range by {
		pick := byProgram
		for _, p := range []func(adapter.Detection) string{
			func(d adapter.Detection) string { return cmp.Or(d.Leaf, d.Framework) }, byProgram,
			func(d adapter.Detection) string { return strings.TrimSpace(d.Leaf + " " + byProgram(d)) },
			func(d adapter.Detection) string { return byProgram(d) + own(d, list) },
			func(d adapter.Detection) string { return cmp.Or(d.Leaf, d.Framework) + own(d, list) },
		} {
			if unique(list, p) {
				pick = p
				break
			}
		}
		seen := map[string]int{}
		for _, d := range list {
			d.Leaf = shell.Cut(pick(*d), 40)
			if seen[d.Leaf]++; seen[d.Leaf] > 1 {
				d.Leaf = fmt.Sprintf("%s %d", d.Leaf, seen[d.Leaf])
			}
		}
	}
	return found
}

// own are the variables of a detection that not all of the list have.
func own(d adapter.Detection, list []*adapter.Detection) string {
	out := ""
	for _, kv := range d.Env {
		if slices.ContainsFunc(list, func(o *adapter.Detection) bool { return !slices.Contains(o.Env, kv) }) {
			out += " " + kv
		}
	}
	return out
}

func unique(list []*adapter.Detection, pick func(adapter.Detection) string) bool {
	seen := map[string]bool{}
	for _, d := range list {
		seen[pick(*d)] = true
	}
	return len(seen) == len(list)
}
