package tox

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// checker is the name of an environment that checks types, style or documents, with what
// is installed for that alone.
var checker = pattern.New(`(?i)(?:^|-)(?:lint|types?|typing|mypy|pyright|pyrefly|ty|style|format|docs?|sphinx|bench|benchmark)(?:-|$)`)

// Checks reports whether an environment is there to check something, and not for tests.
func Checks(env string) bool { return checker.MatchString(env) }

// Needed reports whether another environment waits for one, as for what it makes.
func (t File) Needed(env string) bool {
	return slices.ContainsFunc(t.Envs, func(other string) bool {
		return other != env && !Checks(other) && slices.Contains(Variants(strings.ReplaceAll(t.value(other, "depends"), "\n", ",")), env)
	})
}

// foreign are the factors of environments with another interpreter than CPython.
var foreign = pattern.New(`(?:^|-)(?:pypy|jython|ironpython|graalpy)[\d.]*(?:-|$)`)

// ours leaves out environments that run with another interpreter than CPython, as long
// as others remain: tests of theirs are the same tests.
func ours(envs []string) []string {
	here := slices.DeleteFunc(slices.Clone(envs), foreign.MatchString)
	if len(here) == 0 {
		return slices.Clone(envs)
	}
	return here
}

// version is the part of an environment's name that tells an interpreter.
var version = pattern.New(`^(?:py|python|cpython)?([23])\.?(\d{1,2})?$`)

// split tells the version in the name of an environment, "3.11", from the rest.
func split(env string) (minor, family string) {
	var rest []string
	for _, factor := range strings.Split(env, "-") {
		if m := version.FindStringSubmatch(factor); m != nil {
			minor = strings.TrimSuffix(m[1]+"."+m[2], ".")
		} else {
			rest = append(rest, factor)
		}
	}
	return minor, strings.Join(rest, "-")
}

// Usual leaves those of the environments for several interpreters that are for the one
// that there is, "3.11" (empty: not known); left are the others. Where none is for that,
// it leaves those that do what most of their kind do, by what does says of each: what one
// of them does besides, as measuring coverage, is no other suite.
func Usual(envs []string, python string, does func(env string) string) (usual, left []string) {
	usual = ours(envs)
	counts, named := map[string]map[string]int{}, false
	for _, e := range usual {
		minor, family := split(e)
		if minor == "" {
			continue
		}
		if counts[family] == nil {
			counts[family] = map[string]int{}
		}
		counts[family][does(e)]++
		named = named || minor == python
	}
	usual = slices.DeleteFunc(usual, func(e string) bool {
		minor, family := split(e)
		switch {
		case minor == "" || minor == python:
			return false
		case named:
			left = append(left, e)
			return true
		}
		all, most := 0, 0
		for _, n := range counts[family] {
			all, most = all+n, max(most, n)
		}
		return most*2 > all && counts[family][does(e)] < most
	})
	return usual, left
}
