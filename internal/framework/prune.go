package framework

import (
	"path"
	"slices"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/framework/project"
)

// Detect looks for test frameworks in dir (relative to absRoot, empty for the
// root) and, a bounded way, in the packages below it: see [Machine.Find].
func Detect(absRoot, dir string) ([]adapter.Detection, error) {
	found, err := Find(project.Here(), absRoot, dir, "")
	return found.Detections, err
}

// prune drops weak detections where better ones exist, and packages whose tests
// are run from further up; found is in walk order, parents first.
func prune(found []adapter.Detection) []adapter.Detection {
	strong := func(in string) bool {
		return slices.ContainsFunc(found, func(d adapter.Detection) bool { return !d.Weak && folder.Within(d.Dir, in) })
	}
	var out []adapter.Detection
	for _, d := range found {
		if d.Weak && strong(d.Dir) {
			continue
		}
		if i := slices.IndexFunc(out, func(up adapter.Detection) bool {
			return up.Framework == d.Framework && up.Dir != d.Dir && folder.Within(d.Dir, up.Dir) && runsBelow(&up, folder.Beneath(d.Dir, up.Dir))
		}); i >= 0 {
			continue
		}
		for i := range out {
			up := &out[i]
			if up.Framework == d.Framework && up.Dir != d.Dir && folder.Within(d.Dir, up.Dir) {
				up.Skip = append(up.Skip, folder.Beneath(d.Dir, up.Dir))
			}
		}
		out = append(out, d)
	}
	return out
}

// runsBelow reports whether a run in Dir also runs the tests of a folder below that
// is a project of its own.
func runsBelow(d *adapter.Detection, below string) bool {
	root := func(root string) bool { return folder.Within(below, folder.FromDot(path.Clean(root))) }
	return d.Sweeps && (len(d.Packages) == 0 || slices.Contains(d.Packages, golang.Pattern(below))) &&
		(len(d.Roots) == 0 || slices.ContainsFunc(d.Roots, root))
}
