package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// merge makes one finding of what several engines say of one place: same file,
// same group of rules, overlapping lines.
func merge(in []entry) []entry {
	slices.SortStableFunc(in, func(a, b entry) int {
		return cmp.Or(
			strings.Compare(a.f.Path, b.f.Path),
			strings.Compare(a.group, b.group),
			cmp.Compare(a.f.Lines.Start, b.f.Lines.Start),
			cmp.Compare(a.f.Lines.End, b.f.Lines.End),
			strings.Compare(a.f.Engines[0], b.f.Engines[0]),
			cmp.Compare(a.f.Column, b.f.Column),
			strings.Compare(a.f.Message, b.f.Message),
		)
	})
	var out []entry
	for _, e := range in {
		if len(out) > 0 && same(out[len(out)-1], e) {
			out[len(out)-1].absorb(e)
			continue
		}
		out = append(out, e)
	}
	return out
}

// same reports one problem in one place. One engine means two things by two
// hits, unless it says the same sentence of the same line twice; what has no line, as a test
// that is gone, is told apart by the sentence alone.
func same(a, b entry) bool {
	if a.f.Path != b.f.Path || a.group != b.group {
		return false
	}
	if slices.Contains(a.f.Engines, b.f.Engines[0]) {
		return a.f.Lines.Start == b.f.Lines.Start && (a.f.Message == b.f.Message || a.f.Column == b.f.Column && a.f.Lines.Start > 0)
	}
	return a.f.Lines.Overlaps(b.f.Lines)
}

// absorb takes over what b adds: its engine, its perspectives, the worse
// severity and the better evidence; the first one's words stay. Where an engine
// rates, a model's opinion rates nothing.
func (e *entry) absorb(b entry) {
	mine, its := opinion(*e), opinion(b)
	if mine && !its || mine == its && b.f.Severity.Rank() < e.f.Severity.Rank() {
		e.f.Severity = b.f.Severity
	}
	e.f.Engines = each.Added(e.f.Engines, b.f.Engines...)
	slices.Sort(e.f.Engines)
	e.f.Perspectives = unite(e.f.Perspectives, b.f.Perspectives)
	if weight(b.f.Evidence) > weight(e.f.Evidence) {
		e.f.Evidence = b.f.Evidence
	}
	for _, c := range b.f.CWE {
		if !slices.Contains(e.f.CWE, c) {
			e.f.CWE = append(slices.Clone(e.f.CWE), c)
		}
	}
	e.f.Suggestion = cmp.Or(e.f.Suggestion, b.f.Suggestion)
	e.f.Fix = cmp.Or(e.f.Fix, b.f.Fix)
	e.f.Rule.URL = cmp.Or(e.f.Rule.URL, b.f.Rule.URL)
	e.mask = append(slices.Clone(e.mask), b.mask...)
	e.old = e.old && b.old
	e.own = e.own && b.own
	e.fresh = e.fresh || b.fresh
}

// opinion reports that nobody but a model says so.
func opinion(e entry) bool {
	return !slices.ContainsFunc(e.f.Engines, func(name string) bool { return name != "model" })
}

// unite keeps report order.
func unite(a, b []qa.Perspective) []qa.Perspective {
	return each.Where(qa.Perspectives(), func(p qa.Perspective) bool { return slices.Contains(a, p) || slices.Contains(b, p) })
}

func weight(e qa.Evidence) int {
	return slices.Index([]qa.Evidence{qa.Suspected, qa.Corroborated, qa.Proven}, e)
}

// fingerprint names every finding by what stays when lines shift: the group of
// its rule, its path, the first line it quotes with spaces folded, and which
// of several equal ones it is. Entries are sorted by path, group and line.
func fingerprint(found []entry) {
	nth := map[string]int{}
	for i := range found {
		e := &found[i]
		key := strings.Join([]string{e.group, e.f.Path, e.text}, "\x00")
		nth[key]++
		e.f.Fingerprint = digest(fmt.Sprintf("%s\x00%d", key, nth[key]))
	}
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
