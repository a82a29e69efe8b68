package python

import (
	"encoding/json"
	"path"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

// executedAnswer is what the plugin says; names are absolute, those of units relative to the
// folder of the suite.
type executedAnswer struct {
	Units, Always, Before []string
	Reads                 map[string][]string
	Files                 map[string]map[string][]int
	Tests                 map[string]qa.UnitTests
}

// readExecuted reads what a run executed; nil where no process of it told, or several did.
func readExecuted(root string, d adapter.Detection, answers [][]byte) *qa.Execution {
	var one executedAnswer
	for _, data := range answers {
		var more executedAnswer
		if json.Unmarshal(data, &more) != nil || more.Files == nil { // what another plugin says
			continue
		}
		if one.Files != nil {
			return nil
		}
		one = more
	}
	if one.Files == nil {
		return nil
	}
	at := func(unit string) string {
		if unit == "" {
			return ""
		}
		return path.Join(d.Dir, unit)
	}
	out := &qa.Execution{Units: each.Sorted(each.Of(one.Units, at)), Always: each.Sorted(each.Of(one.Always, at)), Before: each.Sorted(ownFiles(root, one.Before)),
		Read: map[string][]string{}, Files: map[string]map[string][]int{}, Tests: map[string]qa.UnitTests{}}
	for unit, names := range one.Reads {
		for _, file := range ownFiles(root, names) {
			out.Read[file] = each.Sorted(out.Read[file], []string{at(unit)})
		}
	}
	for name, units := range one.Files {
		for _, file := range ownFiles(root, []string{name}) {
			out.Files[file] = map[string][]int{}
			for unit, lines := range units {
				out.Files[file][at(unit)] = each.Sorted(lines)
			}
		}
	}
	for unit, tests := range one.Tests {
		entered := map[string][][]int{}
		for name, lines := range tests.Entered {
			for _, file := range ownFiles(root, []string{name}) {
				entered[file] = lines
			}
		}
		if tests.Entered = entered; tests.Sound() {
			out.Tests[at(unit)] = tests
		}
	}
	return out
}

// ownFiles are those of the project, by their names in it.
func ownFiles(root string, names []string) (own []string) {
	for _, name := range names {
		if rel, in := adapter.BelowRoot(root, name); in && !adapter.InPackages(rel) {
			own = append(own, rel)
		}
	}
	return own
}
