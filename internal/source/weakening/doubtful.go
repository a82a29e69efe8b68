package weakening

import (
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// Doubtful lists the tests that the change wrote anew where they stand and of which
// [Compare] says nothing: whether they notice what they did, only a run can tell. Those
// come first from which something was taken away.
func Doubtful(tests, product []qa.Revision) []qa.Weakening {
	c := compare(tests, product)
	var changed, longer []qa.Weakening
	for i := range c.files {
		f := &c.files[i]
		for _, o := range f.old.tests {
			t := o.partner
			if t == nil || t.in.Tree != f.now.Tree || o.alike || o.Body == nil || t.Body == nil || o.shape == t.shape || len(o.calls) == 0 ||
				slices.ContainsFunc(c.out, func(w qa.Weakening) bool { return w.Path == f.Path && (w.Was == o.Name || w.Was == "") }) {
				continue
			}
			line := t.in.Line(t.Node.Start)
			w := qa.Weakening{Rule: noticesLess, Path: f.Path, Test: t.Name, Was: o.Name, Calls: o.calls, Lines: qa.Range{Start: line, End: line}}
			if was, is := apart(o.claims, t.claims); len(was)+len(is) == 0 {
				w.Less = less(o, t)
			}
			if only(t.in.Text(t.Node), o.in.Text(o.Node)) {
				longer = append(longer, w)
			} else {
				changed = append(changed, w)
			}
		}
	}
	return append(changed, longer...)
}
