package qa

import (
	"math"
	"slices"
	"strings"
)

// Goal is the coverage target of one directory, in percent.
type Goal struct {
	Name   string
	Dir    string
	Target float64
}

// Part is what is covered of the changed lines of one package with a target of its
// own, or of everything outside of such packages.
type Part struct {
	Name   string  `json:"name"`
	Target float64 `json:"target"` // percent
	Lines  Count   `json:"lines"`
}

// rest is the name of what is in no package with a target of its own.
const rest = "the rest"

// Below reports whether a path is a directory or lies in it.
func Below(path, dir string) bool {
	return dir == "" || dir == "." || path == dir || strings.HasPrefix(path, dir+"/")
}

// GoalOf is the goal whose directory holds a path most closely.
func GoalOf(goals []Goal, path string) (Goal, bool) {
	best, found := Goal{}, false
	for _, g := range goals {
		if Below(path, g.Dir) && (!found || len(g.Dir) > len(best.Dir)) {
			best, found = g, true
		}
	}
	return best, found
}

// Parts splits the counts of changed files by the goals that hold for them, in
// the order of the goals; what has none is the last, and held to target. It gives
// nothing where no package has a goal of its own.
func Parts(files map[string]Count, goals []Goal, target float64) []Part {
	if len(goals) == 0 {
		return nil
	}
	all := append(slices.Clone(goals), Goal{Name: rest, Target: target})
	sums := map[string]Count{}
	for path, n := range files {
		g, own := GoalOf(goals, path)
		if !own {
			g.Name = rest
		}
		sums[g.Name] = sums[g.Name].Plus(n)
	}
	var out []Part
	for _, g := range all {
		if n := sums[g.Name]; n.Total > 0 {
			out = append(out, Part{g.Name, g.Target, n})
		}
	}
	return out
}

// LayerResult is one row of the coverage table.
type LayerResult struct {
	Layer     Layer    `json:"layer"`
	Name      string   `json:"name"`
	State     string   `json:"state"`               // measured, skipped, unknown
	Reason    string   `json:"reason"`              // why it is not measured
	Target    float64  `json:"target"`              // percent
	Patch     *Count   `json:"patch"`               // changed executable lines
	OwnPatch  *Count   `json:"own_patch,omitempty"` // the same without generated tests, where some were kept
	Lines     *Count   `json:"lines"`               // all lines of the run
	BaseLines *Count   `json:"base_lines"`          // the same on base
	Tally     *Tally   `json:"tests,omitempty"`     // of the run
	PassRate  *float64 `json:"pass_rate"`           // 0..1, of all tests that ran
	// NewFailures are those of its failing tests that count against the change.
	NewFailures int  `json:"new_failures,omitempty"`
	Iterations  int  `json:"iterations"`
	Rounds      int  `json:"rounds"`
	Effective   bool `json:"effective"`
	Below       bool `json:"below,omitempty"` // the loop ended below target
	// Parts are the changed lines by package, where packages have targets of their own.
	Parts []Part `json:"parts,omitempty"`
	// Failed says of each failing command of the layer what it did on head and base.
	Failed []string `json:"failed,omitempty"`
}

// Reached reports whether the changed lines of the layer, and of each package with a
// target of its own, reach their target. What is unknown reaches none.
func (l LayerResult) Reached() bool {
	if l.Patch == nil {
		return false
	}
	short := func(p Part) bool { return !p.Lines.Reaches(p.Target) }
	return !slices.ContainsFunc(l.Parts, short) && (len(l.Parts) > 0 || l.Patch.Reaches(l.Target))
}

// The bands of what generated tests add to a layer, in points of patch coverage.
const (
	highGain = 10.0
	lowGain  = 5.0
)

// Gain says what the generated tests of a layer added, by the seeds' bands: how many
// points of patch coverage, and a word for it. The word is empty where no test was
// kept or nobody knows; a layer of more than two rounds that gained less than five
// points stopped returning anything.
func (l LayerResult) Gain() (points float64, word string) {
	before, after := l.OwnPatch.Percentage(), l.Patch.Percentage()
	if before == nil || after == nil {
		return 0, ""
	}
	points = math.Round((*after-*before)*1e6) / 1e6 // 55 - 50 is 5 again
	switch {
	case l.Rounds > 2 && points < lowGain:
		return points, "diminishing returns"
	case points > highGain:
		return points, "high"
	case points > lowGain:
		return points, "medium"
	}
	return points, "low"
}
