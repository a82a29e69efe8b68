package measured

import (
	"encoding/binary"

	"github.com/org/qa-action/internal/qa"
)

// What is said of a file is written as numbers of as few bytes as they need, lines and
// ids as what they are beyond the one before: a tenth of the memory that a [Detail] takes,
// and one piece of it for each of the many files that a report may name.

// write gives the bytes of all but totals; what follows one another by chance is in order.
func (d *Detail) write(to []byte) []byte {
	d.Compact()
	most := uint64(0)
	if d.Max {
		most = 1
	}
	to = binary.AppendUvarint(to, uint64(len(d.Lines))<<1|most)
	last := int32(0)
	for _, l := range d.Lines {
		to = binary.AppendUvarint(to, uint64(uint32(l.Line-last))) //nolint:gosec // read back as it was
		last = l.Line
		if l.Branches == 0 && l.BranchesTaken == 0 {
			to = binary.AppendUvarint(to, uint64(l.Hits)<<1)
			continue
		}
		to = binary.AppendUvarint(to, uint64(l.Hits)<<1|1)
		to = binary.AppendUvarint(to, uint64(l.Branches)<<16|uint64(l.BranchesTaken))
	}
	to = writeUnits(to, d.Arms.Compact())
	to = writeUnits(to, d.Units.Compact())
	to = binary.AppendUvarint(to, uint64(len(d.Funcs)))
	for _, fn := range d.Funcs {
		to = append(binary.AppendUvarint(to, uint64(len(fn.Name))), fn.Name...)
		to = binary.AppendUvarint(to, uint64(uint32(fn.Line))) //nolint:gosec // as above
		to = binary.AppendUvarint(to, uint64(fn.Hits))
	}
	return to
}

func writeUnits(to []byte, list []qa.UnitHit) []byte {
	to = binary.AppendUvarint(to, uint64(len(list)))
	last := uint64(0)
	for _, u := range list {
		to = binary.AppendUvarint(to, u.ID-last)
		last = u.ID
		to = binary.AppendUvarint(to, uint64(uint32(u.Line))) //nolint:gosec // as above
		to = binary.AppendUvarint(to, uint64(u.Hits))
		to = binary.AppendUvarint(to, uint64(u.Weight))
	}
	return to
}

// read fills an empty detail. The names of functions are parts of the text.
func (d *Detail) read(text string) {
	in := numbers{text}
	head := in.number()
	d.Max = head&1 != 0
	last := int32(0)
	d.Lines = room(d.Lines, head>>1)
	for i := range d.Lines {
		last += int32(in.number()) //nolint:gosec // as it was written
		hits := in.number()
		d.Lines[i] = qa.LineHit{Line: last, Hits: uint32(hits >> 1)} //nolint:gosec // as above
		if hits&1 != 0 {
			b := in.number()
			d.Lines[i].Branches, d.Lines[i].BranchesTaken = uint16(b>>16), uint16(b) //nolint:gosec // as above
		}
	}
	for _, u := range []*units{&d.Arms, &d.Units} {
		u.List = room(u.List, in.number())
		u.sorted = len(u.List)
		id := uint64(0)
		for i := range u.List {
			id += in.number()
			u.List[i] = qa.UnitHit{ID: id, Line: int32(in.number()), Hits: uint32(in.number()), Weight: uint32(in.number())} //nolint:gosec // as above
		}
	}
	d.Funcs = room(d.Funcs, in.number())
	for i := range d.Funcs {
		size := in.number()
		name := in.text[:size]
		in.text = in.text[size:]
		d.Funcs[i] = qa.FuncHit{Name: name, Line: int32(in.number()), Hits: uint32(in.number())} //nolint:gosec // as above
	}
	d.counted = d.size()
}

// room gives n elements, in the memory of those that were there where it is large enough.
func room[T any](list []T, n uint64) []T {
	if n > uint64(cap(list)) {
		return make([]T, n)
	}
	return list[:n]
}

// numbers is what is left of the bytes of a file.
type numbers struct{ text string }

func (n *numbers) number() (v uint64) {
	for i, shift := 0, 0; ; i, shift = i+1, shift+7 {
		b := n.text[i]
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			n.text = n.text[i+1:]
			return v
		}
	}
}
