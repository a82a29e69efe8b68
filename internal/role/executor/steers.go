package executor

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// Steers reports whether a run saw that a file has a hand in what becomes of tests that
// know nothing of it.
func Steers(runs []Baseline, file string) bool {
	return slices.ContainsFunc(runs, func(b Baseline) bool {
		return slices.Contains(b.Head.Seen.Steers, file) || b.Base != nil && slices.Contains(b.Base.Seen.Steers, file)
	})
}

// SteersSince are the files that do so on head and not on base, but for some.
func SteersSince(runs []Baseline, but map[string]bool) []string {
	var out []string
	for _, b := range runs {
		if b.Base != nil {
			out = append(out, each.Where(b.Head.Seen.Steers, func(name string) bool { return !but[name] && !slices.Contains(b.Base.Seen.Steers, name) })...)
		}
	}
	return out
}

// Gained reports whether files beside some have a hand in what becomes of tests on head, and
// nobody saw that they have it on base.
func Gained(runs []Baseline, but map[string]bool) bool {
	return len(SteersSince(runs, but)) > 0 || slices.ContainsFunc(runs, func(b Baseline) bool {
		return b.Base == nil && slices.ContainsFunc(b.Head.Seen.Steers, func(name string) bool { return !but[name] })
	})
}

// Tested reports whether a file has a test in the reports of head.
func Tested(runs []Baseline, file string) bool {
	return slices.ContainsFunc(runs, func(b Baseline) bool {
		return slices.ContainsFunc(b.Head.Suite.Cases, func(k qa.Case) bool { return k.File == file })
	})
}

// Idle reports whether the suites were measured and ran nothing of a file.
func Idle(runs []Baseline, file string) bool {
	measured := false
	for _, run := range runs {
		measured = measured || run.Head.Coverage != nil
		if of := run.Head.Coverage.File(file); of != nil && (of.LineCount == nil || of.LineCount.Covered > 0) {
			return false
		}
	}
	return measured
}

// ahead is how the words that start a JavaScript runner name what is loaded first.
var ahead = pattern.New(`(?:^|[\s=])(?:--import|--require|-r|--(?:experimental-)?loader)[= ]["']?([^\s"',]+)`)

// Ahead are the files that the words which start the runners have loaded first, by the
// folder of each.
func Ahead(all []Target) map[string][]string {
	out := map[string][]string{}
	for _, t := range all {
		words := strings.Join(slices.Concat(t.Framework.Args, t.Framework.Env), " ")
		for _, m := range ahead.FindAllStringSubmatch(words, -1) {
			out[t.Framework.Dir] = append(out[t.Framework.Dir], m[1])
		}
	}
	return out
}

// Red reports whether a test is known to fail on base.
func Red(runs []Baseline) bool {
	return slices.ContainsFunc(runs, func(b Baseline) bool {
		return b.Base != nil && slices.ContainsFunc(b.Base.Suite.Cases, func(k qa.Case) bool { return k.Status.Bad() })
	})
}

// AlikeOnBase reports whether a suite makes files of a name's kind anyway: a compiler or
// an interpreter that leaves what it made beside the sources leaves more where there is
// a new source. Nothing is known of that without base's suite.
func AlikeOnBase(run Baseline, name string) bool {
	kind := path.Ext(name)
	return kind != "" && (run.Base == nil && !run.Remembered || slices.ContainsFunc(run.Wrote.Base, func(other string) bool { return path.Ext(other) == kind }))
}
