package adapter

import (
	"cmp"
	"maps"
	"slices"
)

// Part is one of several parts that a suite is run in, apart from each other: each test
// is in exactly one of them.
type Part struct {
	Index, Of int // from 1
	// Seconds are what units of the suite usually take: test files, or packages in Go.
	Seconds map[string]float64
}

// least is what a unit takes at least, in seconds.
const least = 0.001

// Parts is how a framework runs a part of a suite.
type Parts struct {
	// Can reports whether the project's version can.
	Can func(Detection) bool
	// List is a command that names the units of a suite, one a line, of which those of
	// the part are then selected by [Part.Units]; nil where the runner divides the suite.
	List func(Detection) []string
	// Built is a command that says what each unit is built of; nil where units are test
	// files, of which their texts tell.
	Built func(Detection) []string
}

// Units are those of the part: the ones that take longest first, each goes to the part
// that has least to do by then. One that nobody knows takes as long as the mean.
func (p Part) Units(all []string) []string {
	usual, known := 1.0, 0.0
	for _, unit := range all {
		if s, ok := p.Seconds[unit]; ok {
			known++
			usual += (s - usual) / known
		}
	}
	takes := map[string]float64{}
	for _, unit := range all {
		takes[unit] = usual
		if s, ok := p.Seconds[unit]; ok {
			takes[unit] = s
		}
		takes[unit] = max(takes[unit], least) // or all of those would be in one part
	}
	busy := make([]float64, p.Of)
	var own []string
	for _, unit := range slices.SortedFunc(maps.Keys(takes), func(a, b string) int {
		return cmp.Or(cmp.Compare(takes[b], takes[a]), cmp.Compare(a, b))
	}) {
		idle := 0
		for i, s := range busy {
			if s < busy[idle] {
				idle = i
			}
		}
		busy[idle] += takes[unit]
		if idle == p.Index-1 {
			own = append(own, unit)
		}
	}
	return own
}
