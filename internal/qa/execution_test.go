package qa

import (
	"encoding/json"
	"slices"
	"testing"

	"gotest.tools/v3/assert"
)

// TestUnitTests: runs of places say which tests enter a function, and what cannot be says
// nothing.
func TestUnitTests(t *testing.T) {
	t.Parallel()
	u := UnitTests{Names: []string{"a", "b", "c", "d"}, Always: []int{3}, Entered: map[string][][]int{"m.py": {{1, 0, 1, 2, 4}, {9, 1, 2}}}}
	assert.DeepEqual(t, u.Within("m.py", Range{Start: 1, End: 3}), []string{"a", "c", "d"})
	assert.DeepEqual(t, u.Within("m.py", Range{Start: 4, End: 9}), []string{"b"})
	assert.Equal(t, len(u.Within("other.py", Range{Start: 1, End: 9})), 0)
	assert.DeepEqual(t, u.Unknown(), []string{"d"})
	for name, bad := range map[string]func(*UnitTests){
		"no tests":         func(u *UnitTests) { u.Names = nil },
		"two of one name":  func(u *UnitTests) { u.Names = []string{"a", "b", "c", "a"} },
		"one that is none": func(u *UnitTests) { u.Always = []int{4} },
		"an end before":    func(u *UnitTests) { u.Entered = map[string][][]int{"m.py": {{1, 2, 1}}} },
		"an end beyond":    func(u *UnitTests) { u.Entered = map[string][][]int{"m.py": {{1, 2, 5}}} },
		"no function":      func(u *UnitTests) { u.Entered = map[string][][]int{"m.py": {{}}} },
		"no end":           func(u *UnitTests) { u.Entered = map[string][][]int{"m.py": {{1, 2}}} },
	} {
		v := u
		bad(&v)
		assert.Assert(t, !v.Sound(), name)
		assert.Equal(t, len(v.Within("m.py", Range{Start: 1, End: 9}))+len(v.Unknown()), 0, name)
	}
	e := Execution{Tests: map[string]UnitTests{"t.py": u}}
	assert.Assert(t, e.Details() > 0)
	assert.Equal(t, e.Undetailed().Details(), 0)
	assert.Assert(t, (*Execution)(nil).Undetailed() == nil)
}

// FuzzUnitTests: whatever a digest holds, what is told of it are its tests.
func FuzzUnitTests(f *testing.F) {
	f.Add([]byte(`{"names":["a","b"],"always":[1],"entered":{"m.py":[[1,0,2]]}}`))
	f.Add([]byte(`{"names":["a"],"always":[-1],"entered":{"m.py":[[1,5,9],[]]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var u UnitTests
		if json.Unmarshal(data, &u) != nil {
			return
		}
		for _, name := range slices.Concat(u.Within("m.py", Range{Start: 0, End: 1 << 20}), u.Unknown()) {
			assert.Assert(t, slices.Contains(u.Names, name))
		}
	})
}
