package weakening

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// This file finds the other version of each test, and reads words.

// pair finds the other version of each test: by its name in the same file, by its text
// anywhere, by its name in another file, and by what it does.
func (c *comparison) pair() {
	var old, now []*test
	for i := range c.files {
		f := &c.files[i]
		match(f.old.tests, f.now.tests, func(t *test) string { return t.Name })
		old, now = append(old, f.old.tests...), append(now, f.now.tests...)
	}
	match(old, now, func(t *test) string {
		if t.Body == nil {
			return ""
		}
		return Shape(t.in.Tree, t.Body)
	})
	match(old, now, func(t *test) string { return last(t.Name) })
	c.resemble(old, now)
}

// match makes partners of the tests without one whose key is the same and nobody
// else's; where as many have it on both sides they are partners in their order.
func match(old, now []*test, key func(*test) string) {
	was, is := map[string][]*test{}, map[string][]*test{}
	for into, list := range map[*map[string][]*test][]*test{&was: old, &is: now} {
		for _, t := range list {
			if k := key(t); t.partner == nil && k != "" {
				(*into)[k] = append((*into)[k], t)
			}
		}
	}
	for k, list := range was {
		if len(list) != len(is[k]) {
			continue
		}
		for i, o := range list {
			o.partner, is[k][i].partner = is[k][i], o
		}
	}
}

// resemble makes partners of tests that share most of their words: they were renamed
// and changed at once, so that nothing is said of their assertions.
func (c *comparison) resemble(old, now []*test) {
	alone := func(all []*test) []*test {
		return slices.DeleteFunc(slices.Clone(all), func(t *test) bool { return t.partner != nil })
	}
	old, now = alone(old), alone(now)
	if len(old) > maxPairs || len(now) > maxPairs {
		return
	}
	for _, o := range old {
		var best *test
		most := sameEnough
		for _, t := range now {
			if s := share(o.words, t.words); s >= most && t.partner == nil {
				best, most = t, s
			}
		}
		if best != nil {
			o.partner, o.alike, best.partner = best, true, o
		}
	}
}

// last is a test's own name.
func last(name string) string {
	name = name[strings.LastIndex(name, " > ")+1:]
	name = strings.TrimPrefix(name, "> ")
	if i := strings.LastIndexAny(name, ".:"); i >= 0 && !strings.Contains(name, " ") {
		name = name[i+1:]
	}
	return name
}

// share is how much of the smaller set is in both.
func share(a, b map[string]bool) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return float64(both) / float64(max(len(a), len(b)))
}

// word is a name or the part of a text that a name may be.
var word = pattern.New(`[A-Za-z_$][\w$]*|\d[\w.]*`)

// common are words that say nothing about what a test is about.
var common = wordSet("t b tb self cls this it test describe expect assert require should to be not equal toBe toEqual toStrictEqual func def function const let var " +
	"return if err nil None null undefined true false True False Error Errorf Fatal Fatalf Helper Run testing got want expected actual result res " +
	"async await new in is and or for range with as pytest raises mark Equal NoError True Nil assertEqual assertTrue len string int range import from")

func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		out[w] = true
	}
	return out
}

// wordsOf are the words of a text that say what it is about.
func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range word.FindAllString(text, -1) {
		if !common[w] {
			out[w] = true
		}
	}
	return out
}

// lost are the words of the product that it has no more.
func lost(product []qa.Revision) map[string]bool {
	before, after := map[string]bool{}, map[string]bool{}
	for _, r := range product {
		if len(r.Before) > maxFile || len(r.After) > maxFile {
			continue
		}
		maps.Copy(before, wordsOf(string(r.Before)))
		maps.Copy(after, wordsOf(string(r.After)))
	}
	maps.DeleteFunc(before, func(w string, _ bool) bool { return after[w] || len(w) < 3 })
	return before
}

// callsIn are the names of what a piece calls, without those of test frameworks.
func callsIn(t *syntax.Tree, in *syntax.Node) []string {
	var out []string
	in.Walk(func(n *syntax.Node) bool {
		if callee := Callee(n); callee != nil {
			name := wording.Fold(t.Text(callee))
			name = name[strings.LastIndexAny(name, ".:")+1:]
			if plain.MatchString(name) && !common[name] && !framework.MatchString(name) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		return true
	})
	return out
}

var (
	plain = pattern.New(`^[A-Za-z_$][\w$]*$`)
	// framework are names of functions that tests call to test.
	framework = pattern.New(`^(assert\w*|to[A-Z]\w*|expect\w*|raises|warns|approx|Fatalf?|Errorf?|Logf?|Run|Parallel|Helper|Cleanup|TempDir|Setenv|` +
		`len|make|append|new|string|print|Println|Printf|Sprintf|str|int|list|dict|set|tuple|range|isinstance|mock|fn|spyOn|patch|require|` +
		`deepEqual|strictEqual|deepStrictEqual|notEqual|throws|ok|equal|Equal|NoError|NotNil|Contains|beforeEach|afterEach)$`)
)

// Callee is what a call calls, in any of the languages; nil is no call.
func Callee(n *syntax.Node) *syntax.Node {
	switch n.Kind {
	case "call_expression", "call":
		return n.At("function")
	case "CallExpr":
		return n.At("fun")
	case "new_expression":
		return n.At("constructor")
	case "method_invocation":
		return n.At("name")
	case "object_creation_expression":
		return n.At("type")
	}
	return nil
}

// outside are the words of a side that stand in no test.
func outside(s *side) map[string]bool {
	var b strings.Builder
	at := 0
	for _, t := range s.tests {
		if t.Node.Start >= at {
			b.Write(s.Src[at:t.Node.Start])
			at = t.Node.End
		}
	}
	b.Write(s.Src[at:])
	return wordsOf(b.String())
}
