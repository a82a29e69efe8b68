package outline

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
)

// TestStore: a text is read once, whoever asks for it, another text of the same file and
// the same text as another language are other ones, and so is what cannot be read.
func TestStore(t *testing.T) {
	t.Parallel()
	var s Store
	const text = "function a() { return b() }\n"
	first, err := s.Parse("a.ts", []byte(text))
	assert.NilError(t, err)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			again, err := s.Parse("a.ts", []byte(text))
			assert.Check(t, err == nil && &again.Functions[0] == &first.Functions[0], "it was read again")
		})
	}
	wait.Wait()
	for name, src := range map[string]string{"a.ts": text + "function c() {}\n", "b.ts": text, "a.js": text, "a.tsx": text} {
		want, err := Parse(name, []byte(src))
		assert.NilError(t, err)
		got, err := s.Parse(name, []byte(src))
		assert.NilError(t, err)
		assert.DeepEqual(t, got, want)
	}
	for range 2 {
		_, err := s.Parse("a.ts", []byte(strings.Repeat("(", 5000)))
		assert.ErrorContains(t, err, "a.ts")
	}
}

// TestStoreIsBounded: what there is no room for is read again, and is the same.
func TestStoreIsBounded(t *testing.T) {
	t.Parallel()
	s := Store{held: mostStored - 3<<10}
	read := func(name string) (kept bool) {
		src := []byte("def " + strings.TrimSuffix(name, ".py") + "():\n    pass\n")
		one, err := s.Parse(name, src)
		assert.NilError(t, err)
		two, err := s.Parse(name, src)
		assert.NilError(t, err)
		assert.DeepEqual(t, one, two)
		return &one.Functions[0] == &two.Functions[0]
	}
	assert.Assert(t, read("a.py") && read("b.py"))
	for i := range 5 {
		assert.Assert(t, i == 0 || !read(fmt.Sprintf("c%d.py", i)))
	}
	assert.Assert(t, s.held <= mostStored && len(s.known) < 4, "%d bytes, %d texts", s.held, len(s.known))
}
