package scout

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// TestRemains: of a deleted file are shown what stands outside of functions and what
// others still name, of the rest how it begins; a short one is shown whole.
func TestRemains(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "b.py"), []byte("from a import parse\n\nprint(parse('1'))\n"), 0o600))
	in := checkout.Checkout{Root: root}
	c := Scout{Checkout: in, Code: related.New(in)}
	lines := []string{"LIMIT = 3", "", "def parse(x):"}
	long := func(name string) {
		for i := range 20 {
			lines = append(lines, fmt.Sprintf("    %s%d = x", name, i))
		}
	}
	long("p")
	lines = append(lines, "", "def unused(x):")
	long("u")
	before := strings.Join(lines, "\n") + "\n"
	assert.DeepEqual(t, c.remains("a.py", before), []qa.Range{{Start: 1, End: 25}})
	assert.Equal(t, len(c.remains("a.py", strings.Join(lines[:30], "\n"))), 0)
	assert.Equal(t, len(c.remains("a.txt", before)), 0)
}

// TestLost: who still says the name of a function that the change took away is told, as is
// that nobody does.
func TestLost(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for file, text := range map[string]string{"b.py": "from a import parse\n\nprint(parse('1'))\n", "c.py": "def unparsed(x):\n    return x\n"} {
		assert.NilError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o600))
	}
	in := checkout.Checkout{Root: root}
	s := Scout{Checkout: in, Code: related.New(in)}
	before := "def parse(x):\n    return x\n\ndef kept(x):\n    return x\n\nclass A:\n    def gone(self):\n        return 1\n\ndef f(x):\n    return x\n"
	for name, c := range map[string]struct{ file, before, now, want string }{
		"some":         {"a.py", before, "def kept(x):\n    return x\n", "no other source file says gone\nparse is said in b.py"},
		"none":         {"a.py", before, before, ""},
		"moved inside": {"a.py", before, strings.Replace(before, "class A:", "class B:", 1), ""},
		"all":          {"a.py", before, "", "no other source file says kept, gone\nparse is said in b.py"},
		"no code":      {"a.txt", before, "", ""},
		"new":          {"a.py", "", before, ""},
	} {
		assert.Equal(t, s.lost(related.Side{Path: c.file, Before: c.before, Source: c.now}), c.want, name)
	}
}
