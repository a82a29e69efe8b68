package diagnosis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// TestInstallers holds what real installers said of broken manifests, and of a
// registry that refuses (testdata/record.py), against what is made of it.
func TestInstallers(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.txt")
	assert.NilError(t, err)
	assert.Assert(t, len(files) > 100)
	var got strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		assert.NilError(t, err)
		stderr, stdout, _ := strings.Cut(strings.TrimPrefix(string(raw), "-- stderr --\n"), "-- stdout --\n")
		d := Of(1, []byte(stderr), []byte(stdout), func(string) bool { return true })
		if d.Kind == "" || d.Proof == "" {
			t.Errorf("%s is not explained: %q", file, d)
		}
		if strings.Contains(d.String(), "$") && !strings.Contains(string(raw), "$") || strings.Contains(d.Proof, "Node.js v") || strings.Contains(d.Proof, "authorization header") {
			t.Errorf("%s: %s", file, d)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), ".txt")
		fmt.Fprintf(&got, "%s: %s\n\t%s\n\t“%s”\n\t%s\n", name, d.Kind, d.Cause, d.Proof, d.Cure)
	}
	golden.Assert(t, got.String(), "explained.txt")
}
