package weakening

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/policy"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// compare holds two versions of one test against each other.
func (c *comparison) compare(f *file, o, t *test) {
	if t.Body == nil || o.Body == nil || o.alike || max(len(o.claims), len(t.claims)) > maxClaims {
		return // announced only, rewritten, or made by a program
	}
	c.swallows(f, o, t)
	c.fettered(f, o, t)
	was, is := apart(o.claims, t.claims)
	fresh := each.Where(is, func(a claim) bool { return !a.constant })
	if i := slices.IndexFunc(is, func(a claim) bool { return a.constant }); i >= 0 && len(was) > 0 && len(fresh) == 0 {
		if !c.said(was[0]) && !helped(o, t) {
			c.add(f, o, trivial, was[0], &is[i])
		}
		return
	}
	p := pairing{o: o, t: t, others: fresh}
	for _, r := range was {
		p.take(r)
	}
	if p.more {
		return
	}
	said := len(c.out)
	for _, k := range p.both {
		r, a := k[0], k[1]
		switch rule := weaker(r, a); {
		case rule != "" && !c.replaced(p, r, a):
			c.add(f, o, rule, r, &a)
		case c.touched && strings.Contains(r.text, "InlineSnapshot(") && strings.Contains(a.text, "InlineSnapshot("):
			c.add(f, o, rerecorded, r, &a)
		}
	}
	c.without(f, p)
	if len(c.out) == said && slices.EqualFunc(p.alone, p.others, func(a, b claim) bool { return a.text == b.text }) {
		c.cases(f, o, t) // what is asserted stands there as it was
	}
}

// pairing is which claim of a test became which.
type pairing struct {
	o, t   *test
	both   [][2]claim
	alone  []claim // of the old version
	others []claim // of the new one
	more   bool    // one says more than it did: the test was sharpened
}

// take finds what became of a claim.
func (p *pairing) take(r claim) {
	i := slices.IndexFunc(p.others, func(a claim) bool { return r.partner(a) })
	if i < 0 {
		p.alone = append(p.alone, r)
		return
	}
	a := p.others[i]
	p.others = slices.Delete(p.others, i, i+1)
	p.both = append(p.both, [2]claim{r, a})
	p.more = p.more || weaker(a, r) != "" && weaker(r, a) == "" || a.pattern && !r.pattern
}

// apart are the claims of two versions that the other does not have word by word.
func apart(old, now []claim) (was, is []claim) {
	have := map[string]int{}
	for _, a := range now {
		have[a.key]++
	}
	for _, r := range old {
		if have[r.key]--; have[r.key] < 0 && !r.constant {
			was = append(was, r)
		}
	}
	had := map[string]int{}
	for _, r := range old {
		had[r.key]++
	}
	for _, a := range now {
		if had[a.key]--; had[a.key] < 0 {
			is = append(is, a)
		}
	}
	return was, is
}

// partner reports that a may be what became of a claim.
func (c claim) partner(a claim) bool {
	switch {
	case c.level == unknown || a.level == unknown:
		return false
	case c.raises && a.raises && len(c.operands) == 0 && len(a.operands) == 0:
		return true
	}
	return c.same(a)
}

// weaker says in which way a says less than what stood there; empty is in none.
func weaker(r, a claim) string {
	switch {
	case r.raises && a.raises:
		if wider(r, a) {
			return exception
		}
	case r.raises && a.level == weak:
		return exception
	case r.tolerant && a.tolerant:
		if a.within > r.within*1.0001 {
			return tolerance
		}
	case r.level == exact && a.level == near && a.tolerant && a.within > 1e-6:
		return tolerance
	case r.level > a.level && a.level <= partial && !r.plainly():
		return loosened
	}
	return ""
}

// wider reports that more exceptions pass than before.
func wider(r, a claim) bool {
	all := func(c claim) bool {
		return slices.ContainsFunc(c.names, func(n string) bool { return n == "Exception" || n == "BaseException" })
	}
	switch {
	case all(a) && !all(r) && len(r.names) > 0:
		return true
	case len(r.names) > 0 && len(a.names) == 0:
		return true
	}
	more := len(r.names) > 0 && len(a.names) > len(r.names) && !r.pattern
	return more && !slices.ContainsFunc(r.names, func(n string) bool { return !slices.Contains(a.names, n) })
}

// replaced reports that a looser claim does not stand alone: others that are new say
// something of the same thing, or it moved elsewhere.
func (c *comparison) replaced(p pairing, r, a claim) bool {
	if c.said(r) || helped(p.o, p.t) || c.about(wordsOf(r.text)) {
		return true
	}
	for _, other := range p.others {
		if other.level == unknown || other.level >= min(r.level, near) {
			return true
		}
		for _, x := range r.operands {
			if other.level > weak && slices.ContainsFunc(other.operands, func(s string) bool { return strings.HasPrefix(s, x) }) {
				return true
			}
		}
	}
	return a.level == unknown
}

// without says which claims are there no more and in no other form.
func (c *comparison) without(f *file, p pairing) {
	o, t := p.o, p.t
	if helped(o, t) || looped(o, t) || len(t.claims) > 0 && share(o.words, t.words) < sameEnough {
		return
	}
	left := maps.Clone(o.words)
	maps.DeleteFunc(left, func(w string, _ bool) bool { return t.words[w] })
	if c.about(left) {
		return // what else went with it is about what the product has no more
	}
	for _, a := range p.others {
		for w := range wordsOf(a.text) {
			if !o.words[w] && !framework.MatchString(w) {
				return // it asserts by other means
			}
		}
	}
	// Where nothing was written, an assertion of the project's own is in no other form.
	only := len(p.others) == 0 && shortened(o, t)
	for _, r := range p.alone {
		if slices.ContainsFunc(p.others, func(a claim) bool { return a.level == unknown || a.level >= r.level }) ||
			slices.ContainsFunc(t.claims, func(a claim) bool { return a.key == r.key }) ||
			guarded(o, r) || implied(t, r) || r.check.Custom && !only && slices.ContainsFunc(callsIn(o.in.Tree, r.check.Node), func(name string) bool { return t.words[name] }) || c.said(r) || c.about(wordsOf(r.text)) || c.elsewhere(o, t, r) {
			continue
		}
		c.add(f, o, removed, r, nil)
		return // the first stands for all
	}
}

// shortened reports that a version of a test has no line that the earlier one has not.
func shortened(o, t *test) bool { return only(o.in.Text(o.Node), t.in.Text(t.Node)) }

// swallows says of a handler that is new whether it hides failures of the test.
func (c *comparison) swallows(f *file, o, t *test) {
	in := func(k *test, lines []int) []int {
		span := k.in.Span(k.Node.Start, k.Node.End)
		return each.Where(lines, span.Contains)
	}
	if !strings.Contains(t.in.Text(t.Node), "try") {
		return
	}
	now, old := in(t, policy.Swallowing(t.in.Tree)), in(o, policy.Swallowing(o.in.Tree))
	if len(now) <= len(old) {
		return
	}
	at := now[len(now)-1]
	c.out = append(c.out, qa.Weakening{
		Rule: swallowed, Path: f.Path, Test: t.Name, Was: o.Name, Lines: qa.Range{Start: at, End: at},
		After: lineOf(t.in.Tree, at), Calls: o.calls,
	})
}

func lineOf(t *syntax.Tree, n int) string {
	start := t.Lines[n-1]
	return shown(wording.Fold(string(t.Src[start:t.LineEnd(start)])))
}

// add enters what became of a claim; now is nil where nothing did.
func (c *comparison) add(f *file, o *test, rule string, was claim, now *claim) {
	t := o.partner
	w := qa.Weakening{Rule: rule, Path: f.Path, Test: t.Name, Was: o.Name, Before: shown(was.text), Calls: o.calls}
	line := t.in.Line(t.Node.Start)
	if len(t.Head) > 0 {
		line = t.in.Line(t.Head[0].Start)
	}
	if now != nil {
		w.After, line = shown(now.text), t.in.Line(now.check.Node.Start)
	}
	w.Lines = qa.Range{Start: line, End: line}
	c.out = append(c.out, w)
}
