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
