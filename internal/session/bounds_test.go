package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestFilesAreBounded: a session may be what a cache or an artifact holds.
func TestFilesAreBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"most.json": "[" + strings.Repeat("0,", jsonBounds.Values-1) + "0]", "more.json": "[" + strings.Repeat("0,", jsonBounds.Values) + "0]",
		"deep.json": strings.Repeat("[", 65), "board.md": strings.Repeat("[", 65),
	} {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	root, err := os.OpenRoot(dir)
	assert.NilError(t, err)
	defer func() { assert.NilError(t, root.Close()) }()
	d := &disk{root: root}
	for name, want := range map[string]string{
		"most.json": "", "board.md": "", "more.json": "read more.json: more than 8000000 values", "deep.json": "more than 64 levels of nesting",
	} {
		_, err := d.read(name)
		if want == "" {
			assert.NilError(t, err)
			continue
		}
		assert.ErrorContains(t, err, want)
	}
}
