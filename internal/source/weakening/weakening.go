// Package weakening says which tests of a change assert less than they did on base,
// by their syntax trees alone: see [Compare]. A test that was moved, renamed, split or
// rewritten is none of these; where it cannot be told, nothing is said.
package weakening

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// The rules.
const (
	removed    = "assertion-removed"
	loosened   = "assertion-loosened"
	trivial    = "assertion-trivial"
	tolerance  = "tolerance-widened"
	exception  = "exception-widened"
	skipped    = "skipped"
	swallowed  = "failure-swallowed"
	unreached  = "assertion-unreached"
	replaced   = "subject-replaced"
	retried    = "retried"
	gone       = "test-removed"
	caseGone   = "case-removed"
	rerecorded = "snapshot-rerecorded"

	// noticesLess is said of a test only where a mutant shows it.
	noticesLess = "notices-less"
)

// The limits: what is larger is data, or made by a program.
const (
	maxTests   = 2000 // of one file
	maxPairs   = 200  // tests without a partner that are held against each other
	maxChanged = 4000 // tests that are new or were changed, among which others are looked for
	maxClaims  = 2000 // assertions of one test
	maxFile    = 1 << 20
	maxShown   = 160 // bytes of a quoted assertion
	sameEnough = 0.5 // share of the words that two versions of a test have in common
)

// Compare says where the tests of a change assert less than before. product are the
// changed files that are no tests: what they lost, no test can assert.
func Compare(tests, product []qa.Revision) []qa.Weakening { return compare(tests, product).out }

func compare(tests, product []qa.Revision) comparison {
	c := comparison{lost: lost(product), touched: len(product) > 0}
	for _, r := range tests {
		if len(r.Before) > maxFile || len(r.After) > maxFile {
			continue
		}
		if !syntax.Supported(r.Path) {
			c.out = append(c.out, c.snapshots(r)...)
			continue
		}
		if f, ok := read(r); ok {
			c.files = append(c.files, f)
		}
	}
	c.pair()
	c.survey()
	for i := range c.files {
		c.file(&c.files[i])
	}
	slices.SortStableFunc(c.out, func(a, b qa.Weakening) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Lines.Start-b.Lines.Start)
	})
	c.out = slices.CompactFunc(c.out, func(a, b qa.Weakening) bool {
		return a.Rule == b.Rule && a.Path == b.Path && a.Lines == b.Lines && a.Before == b.Before && a.After == b.After
	})
	return c
}

// comparison is all test files of one change.
type comparison struct {
	files   []file
	lost    map[string]bool // words that the product has no more
	touched bool            // the product was changed as well
	found   survey
	out     []qa.Weakening
}

// file is a test file in both versions; a side that is not there has no tests.
type file struct {
	qa.Revision
	old, now side
	kept     bool // it asserts with the same library as before
}

// side is one version of a file.
type side struct {
	*syntax.Tree
	edit.Reader
	tests []*test
	rest  map[string]bool // words that stand in no test
	// defined and imported are names, once somebody asks.
	defined, imported map[string]bool
}

// test is one test of one side, with its other version.
type test struct {
	edit.Case
	in      *side
	claims  []claim
	words   map[string]bool
	calls   []string // names of what it called, without those of test frameworks
	shape   string
	partner *test
	alike   bool // the partner was found by what it does, not by its name
}

// read parses both versions; ok is false where one of them cannot be read.
func read(r qa.Revision) (f file, ok bool) {
	f.Revision = r
	for _, v := range []struct {
		to   *side
		path string
		src  []byte
	}{{&f.old, cmp.Or(r.OldPath, r.Path), r.Before}, {&f.now, r.Path, r.After}} {
		if v.src == nil {
			continue
		}
		t, err := syntax.ParseWhole(v.path, v.src)
		if err != nil {
			return f, false
		}
		*v.to = side{Tree: t, Reader: edit.NewReader(t)}
		all := v.to.Tests()
		if len(all) > maxTests {
			return f, false
		}
		for _, k := range all {
			one := &test{Case: k, in: v.to, words: wordsOf(t.Text(k.Node)), calls: callsIn(t, k.Body), shape: Shape(t, k.Node)}
			for _, c := range edit.Checks(v.to.Reader, k.Body) {
				one.claims = append(one.claims, claimOf(t, c))
			}
			v.to.tests = append(v.to.tests, one)
		}
		v.to.rest = outside(v.to)
	}
	f.kept = kept(f.old.tests, f.now.tests)
	return f, true
}

// kept reports that no way to assert went away altogether: else the tests were written
// for another library, whose words mean other things.
func kept(old, now []*test) bool {
	count := func(all []*test) map[string]int {
		out := map[string]int{}
		for _, t := range all {
			for _, c := range t.claims {
				if !c.check.Custom {
					out[root.FindString(c.text)]++
				}
			}
		}
		return out
	}
	was, is := count(old), count(now)
	for r, n := range was {
		if n > 2 && is[r] == 0 {
			for other := range is {
				if was[other] == 0 {
					return false
				}
			}
		}
	}
	return true
}

var root = pattern.New(`^(await )?[\w$]+`)

// text is a piece of a side in one line.
func (s *side) text(n *syntax.Node) string {
	if n == nil {
		return ""
	}
	return wording.Fold(s.Text(n))
}

// shown is a text of the change as it may be quoted.
func shown(text string) string { return wording.Bytes(text, maxShown) }

// file says what became of the tests of one file.
func (c *comparison) file(f *file) {
	for _, o := range f.old.tests {
		switch t := o.partner; {
		case t == nil:
			c.missing(f, o)
		case o.shape != t.shape && f.kept:
			c.compare(f, o, t)
		}
	}
	if f.Before != nil && f.After != nil {
		c.out = append(c.out, skips(f)...)
		c.out = append(c.out, retries(f)...)
	}
}

// missing says of a test that is gone what it looked at, unless others look there now.
func (c *comparison) missing(f *file, o *test) {
	if len(o.claims) == 0 || c.about(o.words) || c.taken(o) {
		return
	}
	// A class of tests may name what all of them are about.
	if class := o.Node.Within("class_definition"); class != nil && !strings.Contains(string(f.After), "class "+o.in.Text(class.At("name"))) && c.about(wordsOf(o.in.Text(class))) {
		return
	}
	c.out = append(c.out, qa.Weakening{
		Rule: gone, Path: f.Path, Was: o.Name, Test: o.Name, Before: shown(o.claims[0].text), Calls: o.calls,
	})
}

// about reports that words speak of something which the product has no more.
func (c *comparison) about(words map[string]bool) bool {
	for w := range words {
		if c.lost[w] {
			return true
		}
	}
	return false
}
