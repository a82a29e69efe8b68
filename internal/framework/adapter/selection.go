package adapter

import (
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/framework/folder"
)

// Whole reports whether some selection is a whole file.
func Whole(tests []Selected) bool {
	return slices.ContainsFunc(tests, func(t Selected) bool { return t.Name == "" })
}

// Placed refuses a selection that would run everything: whole files of which
// none is known or lies below dir.
func Placed(tests []Selected, dir string) error {
	if _, ok := Files(tests, dir); ok || len(tests) == 0 || !Whole(tests) {
		return nil
	}
	return fmt.Errorf("a selected test file is unknown or not below %q", dir)
}

// Files lists the files of a selection relative to dir, once each, in order;
// ok is false when a selected test's file is unknown or outside dir.
func Files(tests []Selected, dir string) (out []string, ok bool) {
	ok = true
	for _, t := range tests {
		rel, inside := folder.Below(t.File, dir)
		if t.File == "" || !inside {
			ok = false
			continue
		}
		if !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	return out, ok
}

// Related keeps those of the changed files that lie below dir, relative to it.
func Related(changed []string, dir string) []string {
	var out []string
	for _, f := range changed {
		if rel, ok := folder.Below(f, dir); ok {
			out = append(out, rel)
		}
	}
	return out
}
