package related

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
)

// TestCallersAreCalls: the line that is shown of a caller calls; a comment, a text of
// documentation or another string with the name does not.
func TestCallersAreCalls(t *testing.T) {
	t.Parallel()
	for file, text := range map[string]string{
		"a.py": "def parse(x):\n    return x\n\n\ndef load(x):\n    \"\"\"Loads, see parse.\"\"\"\n    # parse is slow\n    y = 'parse'\n" + strings.Repeat("    x = x\n", 12) + "    return parse(y)\n",
		"a.ts": "export function parse(x: string) { return x }\n\nexport function load(x: string) {\n  // parse is slow\n  const y = 'parse'\n" + strings.Repeat("  x = x\n", 12) + "  return parse(y)\n}\n",
		"a.go": "package a\n\nfunc parse(x string) string { return x }\n\nfunc load(x string) string {\n\t// parse is slow\n\ty := \"parse\" // parse\n" + strings.Repeat("\tx = x\n", 12) + "\treturn parse(y)\n}\n",
	} {
		root := t.TempDir()
		assert.NilError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o600))
		c := New(checkout.Checkout{Root: root})
		got := c.Callers(Side{}, "parse")
		assert.Equal(t, got, "", "a file that is not there has none")
		got = c.Callers(Side{Path: file, Source: strings.Repeat("\n", wholeFile+1)}, "parse")
		assert.Assert(t, strings.HasSuffix(strings.TrimRight(got, "\n}"), "return parse(y)"), "%s: %s", file, got)
	}
	assert.Equal(t, string(Proseless("a.py", []byte("x = f'{parse(y)}' + 'parse'\n"))), "x = f'{parse(y)}' +        \n")
}
