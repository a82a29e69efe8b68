package related

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
)

// TestGraphIsOfWhatIsNear: of more source than is read, it is the change, what names a file
// of it and what stands beside it. That it is a part is known.
func TestGraphIsOfWhatIsNear(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"tools/zoo/animals.py": "def feed(n):\n    return n\n", "tools/zoo/keys.py": "def lock():\n    return 1\n",
		"tests/test_feeding.py": "from tools.zoo.animals import feed\n\n\ndef test_feed():\n    assert feed(1) == 1\n",
		"zz/far.py":             "def far():\n    return 1\n",
	}
	for i := range 40 {
		files[fmt.Sprintf("a/large%02d.py", i)] = "def other():\n    return 1\n" + strings.Repeat("# "+strings.Repeat("=", 70)+"\n", 400)
	}
	change := qa.Change{Files: []qa.FileChange{{Path: "tools/zoo/animals.py", Kind: qa.KindSource}}}
	c := code(t, files, change)
	read := c.Graph().Files()
	for _, name := range []string{"tools/zoo/animals.py", "tools/zoo/keys.py", "tests/test_feeding.py"} {
		assert.Assert(t, slices.Contains(read, name), "%s of %q", name, read)
	}
	assert.Assert(t, slices.IsSorted(read) && !slices.Contains(read, "zz/far.py") && !Whole(c), read)
	assert.Equal(t, len(Sources(c)), len(files))
	assert.DeepEqual(t, c.TestsOf("tools/zoo/animals.py", "feed", []string{"tests/test_feeding.py"}), []string{"tests/test_feeding.py"})

	all := Wide(checkout.Checkout{Root: c.o.Root, Change: change})
	assert.Assert(t, Whole(all) && slices.Contains(all.Graph().Files(), "zz/far.py"))
}

func TestFoldersAndNames(t *testing.T) {
	t.Parallel()
	f := folders{}
	f.add("src/web/cart.ts")
	f.add("main.ts")
	for file, want := range map[string]int{"src/web/tax.ts": 3, "src/web/deep/a.ts": 2, "src/api/a.ts": 1, "docs/a.ts": 0, "other.ts": 1} {
		if got := f.shared(file); got != want {
			t.Errorf("%s shares %d folders, want %d", file, got, want)
		}
	}
	names := map[string]bool{"min-max": true, "cart": true, "io": false}
	for text, want := range map[string]bool{"import x from './min-max'": true, "from shop.cart import total": true, "the end is cart": true, "carts and io, max": false, "größe_cart": false} {
		if mentions(text, names) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
}
