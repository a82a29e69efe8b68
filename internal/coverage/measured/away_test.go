package measured

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// What was put away is what was said, to the last bit.
func TestAwayIsWhatWasSaid(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	edge := func() uint32 {
		return [...]uint32{0, 1, 127, 128, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, rng.Uint32()}[rng.IntN(8)]
	}
	for range 200 {
		r := New("r", "f", NewRoom())
		f := r.File("a", "")
		f.Max = rng.IntN(2) == 0
		for range rng.IntN(20) {
			f.Line(int32(edge()), edge(), uint16(edge()), uint16(edge()))
		}
		for _, u := range []*units{&f.Arms, &f.Units} {
			for range rng.IntN(20) {
				u.Add(qa.UnitHit{ID: uint64(edge())<<32 | uint64(edge()), Line: int32(edge()), Hits: edge(), Weight: edge()})
			}
		}
		for _, name := range []string{"", "f", "größe\x00"}[:rng.IntN(4)] {
			f.Function(qa.FuncHit{Name: name, Line: int32(edge()), Hits: edge()})
		}
		f.Compact()
		f.Arms.Compact()
		f.Units.Compact()
		r.Settle()
		lines, arms, statements, funcs := own(f.Lines), own(f.Arms.List), own(f.Units.List), own(f.Funcs)
		most, size := f.Max, f.size()
		r.Done(f)
		assert.Assert(t, f.Detail == nil)
		other := r.File("b", "") // in the memory of the first
		other.Line(1, 1, 1, 1)
		other.Function(qa.FuncHit{Name: "other"})
		assert.Assert(t, r.File("a", "") == f)
		assert.DeepEqual(t, own(f.Lines), lines)
		assert.DeepEqual(t, own(f.Arms.List), arms)
		assert.DeepEqual(t, own(f.Units.List), statements)
		assert.DeepEqual(t, own(f.Funcs), funcs)
		assert.Equal(t, f.Max, most)
		assert.Equal(t, f.counted, size)
	}
}

// A file is the one of its name and hint, in whatever order a report names them.
func TestFilesAreFoundInAnyOrder(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{"a", "b", "c"}, {"a", "a", "b", "b", "a"}, {"b", "a", "b", "c", "a"}, {"a", "b", "b/hint", "a/hint", "a", "b/hint"}} {
		r, known := New("r", "f", NewRoom()), map[string]*File{}
		for _, both := range order {
			name, hint, _ := strings.Cut(both, "/")
			f := r.File(name, hint)
			if known[both] == nil {
				known[both] = f
			}
			assert.Assert(t, known[both] == f && f.Name == name && r.hints[f] == hint, "%q of %q", both, order)
			f.Line(int32(len(order)), 1, 0, 0)
			r.Done(f)
		}
		assert.Equal(t, len(r.Order), len(known))
	}
}
