package executor

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

// layerWords are the path segments and name parts that mark the tests of a
// layer above L1, as projects use them.
var layerWords = map[qa.Layer][]string{
	qa.L2: {"integration", "integrations", "functional", "it"},
	qa.L3: {"e2e", "end-to-end", "end2end", "acceptance", "playwright", "cypress"},
}

// LayerOf tells a test's layer from where it stands and what its file is
// called; tests are unit tests unless something says otherwise.
func LayerOf(c qa.Case) qa.Layer {
	low := strings.ToLower(cmp.Or(c.File, c.Suite))
	base := strings.FieldsFunc(path.Base(low), func(r rune) bool { return r == '.' || r == '_' || r == '-' })
	dirs := strings.Split(path.Dir(low), "/")
	for _, l := range []qa.Layer{qa.L3, qa.L2} {
		for _, w := range layerWords[l] {
			if slices.Contains(dirs, w) || slices.Contains(base, w) && w != "it" {
				return l
			}
		}
	}
	return qa.L1
}

// Named is a test file's path with a word in its name that marks a layer above L1,
// so that the next run counts its tests there. A name without a part for it, as of
// Java's classes, stays.
func Named(l qa.Layer, file string) string {
	words := layerWords[l]
	if len(words) == 0 || LayerOf(qa.Case{File: file}) == l {
		return file
	}
	dir, base := path.Split(file)
	stem, rest, _ := strings.Cut(base, ".")
	switch before, isSuffix := strings.CutSuffix(stem, "_test"); {
	case isSuffix:
		return dir + before + "_" + words[0] + "_test." + rest
	case strings.HasPrefix(stem, "test_"):
		return dir + stem + "_" + words[0] + "." + rest
	case path.Ext(base) == ".java":
		return file
	}
	return dir + stem + "." + words[0] + "." + rest
}

// Of keeps the cases of one layer.
func Of(l qa.Layer, cases []qa.Case) []qa.Case {
	return each.Where(cases, func(c qa.Case) bool { return LayerOf(c) == l })
}

// Executed reports whether any of the cases ran.
func Executed(cases []qa.Case) bool { return qa.Suite{Cases: cases}.Tally().Executed() > 0 }

// Whole reports whether what a suite says of its coverage it says of one of its
// layers: of the other layers no test ran.
func Whole(l qa.Layer, cases []qa.Case) bool {
	return Executed(cases) && !slices.ContainsFunc(cases, func(c qa.Case) bool { return c.Status != qa.Skipped && LayerOf(c) != l })
}

// Files are the test files of cases, as a selection of whole files.
func Files(cases []qa.Case) []adapter.Selected {
	seen := map[adapter.Selected]bool{}
	var out []adapter.Selected
	for _, c := range cases {
		s := adapter.Selected{File: c.File}
		if c.File == "" {
			s.Suite = c.Suite
		}
		if !seen[s] {
			seen[s], out = true, append(out, s)
		}
	}
	return out
}
