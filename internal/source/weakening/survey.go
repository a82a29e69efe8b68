package weakening

import (
	"slices"
)

// survey is what the tests of the whole change have that they had not, by word, so that
// it is looked up and not looked for.
type survey struct {
	stands map[string]int     // how many more claims of a key there are than on base
	having map[string][]*test // tests that are new or were changed
	fresh  map[string][]*test // those whose other version has not the word
	rest   []map[string]bool  // words that are new outside of tests, by file
	many   bool               // too many tests changed to find one among them
	rows   map[string]bool    // cases of tables as they are now, once somebody asks
}

// survey reads all files once.
func (c *comparison) survey() {
	c.found = survey{stands: map[string]int{}, having: map[string][]*test{}, fresh: map[string][]*test{}}
	changed := 0
	for i := range c.files {
		f := &c.files[i]
		for _, o := range f.old.tests {
			for _, k := range o.claims {
				c.found.stands[k.key]--
			}
		}
		for _, t := range f.now.tests {
			for _, k := range t.claims {
				c.found.stands[k.key]++
			}
			if t.partner != nil && t.partner.shape == t.shape {
				continue
			}
			changed++
			for w := range t.words {
				c.found.having[w] = append(c.found.having[w], t)
				if t.partner == nil || !t.partner.words[w] {
					c.found.fresh[w] = append(c.found.fresh[w], t)
				}
			}
		}
		rest := map[string]bool{}
		for w := range f.now.rest {
			if !f.old.rest[w] {
				rest[w] = true
			}
		}
		c.found.rest = append(c.found.rest, rest)
	}
	c.found.many = changed > maxChanged
}

// said reports that the very claim stands in a test where it did not before.
func (c *comparison) said(r claim) bool { return c.found.stands[r.key] >= 0 }

// taken reports that a test which is new or was changed does some of what a test did
// that is gone: it was written anew, split, or put into a table.
func (c *comparison) taken(o *test) bool {
	if c.found.many || slices.ContainsFunc(o.calls, func(name string) bool { return len(c.found.having[name]) > 0 }) {
		return true
	}
	both := map[*test]int{}
	for w := range o.words {
		for _, t := range c.found.having[w] {
			if both[t]++; float64(both[t])/float64(max(len(o.words), len(t.words))) >= sameEnough {
				return true
			}
		}
		// What stands outside of tests may be a table of them, or a function that they share.
		if slices.ContainsFunc(c.found.rest, func(rest map[string]bool) bool { return rest[w] }) {
			return true
		}
	}
	return false
}

// elsewhere reports that what a claim looks at is looked at by a test that is new, or
// was made by a function of the tests that is gone: then it was about that.
func (c *comparison) elsewhere(o, t *test, r claim) bool {
	about, made := names(r.text), sources(o, r)
	another := func(other *test) bool { return other != t && other.in.Language == o.in.Language }
	if c.found.many || slices.ContainsFunc(made, func(name string) bool { return slices.ContainsFunc(c.found.fresh[name], another) }) {
		return true
	}
	both := map[*test]int{}
	for _, w := range about {
		for _, other := range c.found.fresh[w] {
			if both[other]++; 2*both[other] >= len(about) && another(other) {
				return true
			}
		}
	}
	for i := range c.files {
		f := &c.files[i]
		if f.now.Tree != nil && f.now.Language != o.in.Language {
			continue
		}
		if slices.ContainsFunc(made, func(name string) bool { return f.old.rest[name] && !f.now.rest[name] }) {
			return true
		}
		n := 0
		for _, w := range about {
			if c.found.rest[i][w] {
				n++
			}
		}
		if n > 0 && 2*n >= len(about) {
			return true
		}
	}
	return false
}

// names are the words of a text that are no numbers.
func names(text string) []string {
	var out []string
	for w := range wordsOf(text) {
		if w[0] < '0' || w[0] > '9' {
			out = append(out, w)
		}
	}
	return out
}
