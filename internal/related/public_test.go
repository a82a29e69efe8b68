package related

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
)

// What is private is reached through what others may call, but not through what calls a
// method of that name on who knows what, of which several classes have one.
func TestPublic(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.go":      "package a\n\nfunc Load() { read() }\n\nfunc read() { parse() }\n\nfunc parse() {}\n\nfunc lost() {}\n\ntype conn struct{}\n\nfunc (c conn) Close() { parse() }\n",
		"a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestLost(t *testing.T) { lost() }\n",
		"f.py":      "class Field:\n    def _write(self, value):\n        return value\n\n\nclass Choice:\n    def __init__(self, field):\n        self.texts = [field._write(1)]\n\n    def _write(self, value):\n        return value\n\n    def dump(self, value):\n        return self._write(value)\n",
		"m.py":      "def load(text):\n    return _parse(text)\n\n\ndef _parse(text):\n    return text\n",
	} {
		assert.NilError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	graph := New(checkout.Checkout{Root: root}).Graph()
	for _, c := range []struct {
		file, symbol string
		want         []string
	}{
		{"a.go", "parse", []string{"conn.Close", "Load"}},
		{"a.go", "read", []string{"Load"}},
		{"a.go", "Load", nil},
		{"a.go", "lost", nil},
		{"a.go", "conn.Close", nil},
		{"a.go", "gone", nil},
		{"f.py", "Choice._write", []string{"Choice.dump"}},
		{"m.py", "_parse", []string{"load"}},
		{"m.py", "load", nil},
	} {
		assert.DeepEqual(t, Public(graph, c.file, c.symbol), c.want)
	}
}
