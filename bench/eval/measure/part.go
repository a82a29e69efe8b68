package measure

import (
	"fmt"
	"math"
)

// part is a part of the changes, and the metrics that are told of it apart.
type part struct {
	name string
	has  func(Outcome) bool
	rows []row
}

// parts stand below the whole, each where there is a change of it.
var parts = []part{
	difficult("easy"), difficult("medium"), difficult("hard"),
	{name: "weakened tests alone", has: func(o Outcome) bool { return o.TestsOnly }, rows: told("finding recall", "precision of posted findings")},
	sized(1, 20), sized(21, 100), sized(101, 600), sized(601, math.MaxInt),
	written("Go"), written("JavaScript and TypeScript"), written("Python"),
}

// written are the changes in a language.
func written(language string) part {
	return part{
		name: language, has: func(o Outcome) bool { return o.Language == language },
		rows: told("finding recall", "proven rate", "precision of posted findings", "findings per clean change", "tokens per token of the diff"),
	}
}

func difficult(name string) part {
	return part{
		name: name, has: func(o Outcome) bool { return o.Buggy && o.Difficulty == name },
		rows: told("finding recall", "proven rate", "precision of posted findings", "enshrined defects"),
	}
}

// sized are the changes with so many lines added and taken away.
func sized(from, to int) part {
	name := fmt.Sprintf("diffs of %d to %d lines", from, to)
	if to == math.MaxInt {
		name = fmt.Sprintf("diffs of %d lines and more", from)
	}
	perChange := row{name: "tokens per change", share: func(n Numbers) Share { return n.PerChange }, mean: true}
	return part{
		name: name, has: func(o Outcome) bool { return from <= o.Lines && o.Lines <= to },
		rows: append(told("finding recall", "tokens per token of the diff"), perChange),
	}
}

// told picks rows by their names.
func told(names ...string) []row {
	var out []row
	for _, name := range names {
		for _, r := range rows {
			if r.name == name {
				r.floor = "" // it holds for the whole
				out = append(out, r)
			}
		}
	}
	return out
}
