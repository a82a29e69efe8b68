package golang

import (
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/shell"
)

// limited are the arguments of the script, and what limits it to tests.
func limited(d adapter.Detection, tests []adapter.Selected) []string {
	args := d.Args
	if len(tests) > 0 { // the script's count holds for its whole suite
		args = shell.Without(args, map[string]bool{"-count": true})
	}
	if run, bench := runPattern(tests); run != "" {
		args = append(shell.Without(args, map[string]bool{"-run": true, "-skip": true, "-bench": true}), "-run", run)
		if bench != "" {
			args = append(args, "-bench", bench)
		}
	}
	// Behind a flag that go does not know, no packages are read.
	known, own := goFlags(args)
	return slices.Concat(known, packages(d, tests), own)
}

// runPattern are the patterns of -run and -bench that match the selected tests and
// benchmarks exactly, both empty for whole packages. Go splits pattern and names at
// slashes and matches part by part.
func runPattern(tests []adapter.Selected) (run, bench string) {
	if adapter.Whole(tests) {
		return "", ""
	}
	var out, benches []string
	for _, t := range tests {
		to := &out
		if strings.HasPrefix(t.Name, "Benchmark") {
			to = &benches
		}
		parts := strings.Split(t.Name, "/")
		for i, p := range parts {
			parts[i] = "^" + regexp.QuoteMeta(p) + "$"
		}
		if p := strings.Join(parts, "/"); !slices.Contains(*to, p) {
			*to = append(*to, p)
		}
	}
	if len(out) == 0 && len(benches) > 0 {
		out = []string{"^$"}
	}
	return strings.Join(out, "|"), strings.Join(benches, "|")
}
