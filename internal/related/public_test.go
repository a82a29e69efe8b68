package related

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
)

// What is private is reached through what others may call.
func TestPublic(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.go":      "package a\n\nfunc Load() { read() }\n\nfunc read() { parse() }\n\nfunc parse() {}\n\nfunc lost() {}\n\ntype conn struct{}\n\nfunc (c conn) Close() { parse() }\n",
		"a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestLost(t *testing.T) { lost() }\n",
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
		{"m.py", "_parse", []string{"load"}},
		{"m.py", "load", nil},
	} {
		assert.DeepEqual(t, Public(graph, c.file, c.symbol), c.want)
	}
}
