package strategist

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
)

// maxSamples is how many test files are read to learn the style.
const maxSamples = 12

// Learn derives the repository's test conventions from its test files: a mark of
// their language is shown when at least half of the samples have it. near
// are changed source files, whose neighbours are preferred as examples.
func Learn(framework, version string, tests []string, near []string, read func(string) ([]byte, error)) qa.Conventions {
	c := qa.Conventions{Framework: framework, Version: version}
	if len(tests) == 0 {
		return c
	}
	ranked := slices.Clone(tests)
	slices.SortStableFunc(ranked, func(a, b string) int { return distance(a, near) - distance(b, near) })
	c.Examples = ranked[:min(3, len(ranked))]
	c.Location = most(tests, location)
	c.Naming = most(tests, naming)
	var marks []language.Feature
	counts := map[string]int{}
	samples := 0
	for _, name := range ranked[:min(maxSamples, len(ranked))] {
		src, err := read(name)
		if err != nil {
			continue
		}
		samples++
		for _, m := range language.Of(name).Style {
			if !slices.ContainsFunc(marks, func(o language.Feature) bool { return o.Name == m.Name }) {
				marks = append(marks, m)
			}
			if m.Pattern.Match(src) {
				counts[m.Name]++
			}
		}
	}
	for _, m := range marks {
		if 2*counts[m.Name] >= samples {
			c.Style = append(c.Style, m.Name)
		}
	}
	return c
}

// location says where a test file stands.
func location(test string) string {
	parts := strings.Split(path.Dir(test), "/")
	for _, dir := range []string{"__tests__", "tests", "test", "spec"} {
		if slices.Contains(parts, dir) {
			return dir + "/"
		}
	}
	return "beside the source"
}

// naming turns a file name into a pattern: "{name}.test.ts", "test_{name}.py".
func naming(test string) string {
	base := path.Base(test)
	for _, affix := range []string{".test.", ".spec.", "_test."} {
		if i := strings.LastIndex(base, affix); i >= 0 {
			return "{name}" + base[i:]
		}
	}
	if strings.HasPrefix(base, "test_") {
		return "test_{name}" + path.Ext(base)
	}
	return "{name}" + path.Ext(base)
}

// most is the most frequent value; ties go to the smallest text.
func most(items []string, of func(string) string) string {
	counts := map[string]int{}
	best := ""
	for _, item := range items {
		v := of(item)
		counts[v]++
		if n := counts[v]; best == "" || n > counts[best] || n == counts[best] && v < best {
			best = v
		}
	}
	return best
}

// distance is how far a test is from the nearest changed file: path segments
// not shared, less when the base name is the same.
func distance(test string, near []string) int {
	best := 100
	stem := strings.TrimPrefix(strings.SplitN(path.Base(test), ".", 2)[0], "test_")
	stem = strings.TrimSuffix(stem, "_test")
	for _, n := range near {
		a, b := strings.Split(path.Dir(test), "/"), strings.Split(path.Dir(n), "/")
		shared := 0
		for shared < min(len(a), len(b)) && a[shared] == b[shared] {
			shared++
		}
		d := len(a) + len(b) - 2*shared
		if strings.SplitN(path.Base(n), ".", 2)[0] == stem {
			d -= 10
		}
		best = min(best, d)
	}
	return best
}
