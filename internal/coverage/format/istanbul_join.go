package format

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
)

// finish joins maps and counters. A statement without counter never ran.
func (f *istanbulFile) finish(rep *measured.Report, out *measured.File, at int) {
	if !f.final {
		totals := f.totals
		out.Totals = &totals
		return
	}
	distinct(f.statements)
	distinct(f.branches)
	hits := newCounter(f.s)
	single := measured.File{Detail: &measured.Detail{Max: true, LinesSorted: true}} // several statements of a line
	for _, p := range f.statements {
		n := hits.of(p.id)
		rep.Hit(&single, at, qa.LineHit{Line: p.line, Hits: n})
		out.Units.Add(qa.UnitHit{ID: p.key, Line: p.line, Hits: n, Weight: 1})
	}
	single.Compact()
	for _, l := range single.Lines { // whereas several runs of a file add up
		out.Line(l.Line, l.Hits, 0, 0)
	}
	hits = newCounter(f.f)
	for _, p := range f.functions {
		out.Function(qa.FuncHit{Name: p.name, Line: p.line, Hits: hits.of(p.id)})
	}
	slices.SortFunc(f.b, func(a, b istanbulArms) int { return cmp.Compare(a.id, b.id) })
	for _, p := range f.branches {
		i, ok := slices.BinarySearchFunc(f.b, p.id, func(a istanbulArms, id uint64) int { return cmp.Compare(a.id, id) })
		if !ok {
			rep.Note("branch without counters, left out", at)
			continue
		}
		for arm, n := range f.b[i].hits {
			if rep.Room.Err != nil { // counters may be named again and again
				return
			}
			out.Arms.Add(qa.UnitHit{ID: p.key ^ uint64(arm)*0x9E3779B97F4A7C15, Line: p.line, Hits: n, Weight: 1})
		}
	}
}

// distinct keeps places of one location apart, which source maps make.
func distinct(places []istanbulPlace) {
	if len(places) < 2 {
		return
	}
	keys := make([]uint64, len(places))
	for i, p := range places {
		keys[i] = p.key
	}
	slices.Sort(keys)
	if len(slices.Compact(keys)) == len(places) {
		return
	}
	seen := map[uint64]uint64{}
	for i := range places {
		p := &places[i]
		n := seen[p.key]
		seen[p.key]++
		p.key ^= n * 0xD6E8FEB86659FD93
	}
}

// counter finds the hits of an id. Counters come in the order of the map, so
// the next one is nearly always the one asked for.
type counter struct {
	list []istanbulCount
	next int
}

func newCounter(list []istanbulCount) *counter {
	byID := func(a, b istanbulCount) int { return cmp.Compare(a.id, b.id) }
	if !slices.IsSortedFunc(list, byID) {
		slices.SortFunc(list, byID)
	}
	return &counter{list: list}
}

func (c *counter) of(id uint64) uint32 {
	if c.next < len(c.list) && c.list[c.next].id == id {
		c.next++
		return c.list[c.next-1].hits
	}
	i, ok := slices.BinarySearchFunc(c.list, id, func(a istanbulCount, id uint64) int { return cmp.Compare(a.id, id) })
	if !ok {
		return 0
	}
	c.next = i + 1
	return c.list[i].hits
}
