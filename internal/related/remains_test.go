package related

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
)

// TestRemains: of a deleted file are shown what stands outside of functions and what
// others still name, of the rest how it begins; a short one is shown whole.
func TestRemains(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "b.py"), []byte("from a import parse\n\nprint(parse('1'))\n"), 0o600))
	c := New(checkout.Checkout{Root: root})
	lines := []string{"LIMIT = 3", "", "def parse(x):"}
	long := func(name string) {
		for i := range 20 {
			lines = append(lines, fmt.Sprintf("    %s%d = x", name, i))
		}
	}
	long("p")
	lines = append(lines, "", "def unused(x):")
	long("u")
	before := []byte(strings.Join(lines, "\n") + "\n")
	assert.DeepEqual(t, Remains(c, "a.py", before), []qa.Range{{Start: 1, End: 25}})
	assert.Equal(t, len(Remains(c, "a.py", []byte(strings.Join(lines[:30], "\n")))), 0)
	assert.Equal(t, len(Remains(c, "a.txt", before)), 0)
}
