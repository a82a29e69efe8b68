package reporter

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
)

// stop is where the focus stands after a key.
type stop struct {
	Index    int // place in the document
	Name     string
	Outline  float64 // pixels
	Contrast float64 // of the outline with the page
	Seen     bool    // within the window
}

type journey struct {
	Folded, Unfolded, Back   []stop
	Toggled, Reachable, Wide int
	Fixed                    int // wide parts that take no focus
	Stuck                    []string
	Skip                     string
}

// TestHTMLByKeyboard goes through the page with tabulator, enter and space in
// Chromium, scripts switched off: the focus goes down the page and up again, is
// always to be seen, and every fold opens and closes.
func TestHTMLByKeyboard(t *testing.T) {
	if os.Getenv("QA_E2E") != "1" {
		t.Skip("set QA_E2E=1 to go through report.html by keyboard (needs chromium and node)")
	}
	chromium, err := process.LookPath("chromium")
	assert.NilError(t, err, "install chromium")
	node, err := process.LookPath("node")
	assert.NilError(t, err, "install node")
	for name, scheme := range map[string]string{"findings-mix": "light", "failing-new-test": "dark", "generated-tests": "dark", "monorepo": "light"} {
		t.Run(name+"/"+scheme, func(t *testing.T) {
			var page bytes.Buffer
			assert.NilError(t, Render(&page, "html", situation(t, name+".json"), onHost()))
			dir := t.TempDir()
			file := filepath.Join(dir, "report.html")
			assert.NilError(t, os.WriteFile(file, page.Bytes(), 0o644))
			res, err := process.Run(context.Background(), process.Command{
				Argv: []string{node, "testdata/browser/keyboard.mjs", chromium, filepath.Join(dir, "profile"), (&url.URL{Scheme: "file", Path: file}).String(), scheme},
				Dir:  ".", Env: os.Environ(), Timeout: 2 * time.Minute, MaxOutput: 16 << 20,
			})
			assert.NilError(t, err)
			var got journey
			assert.NilError(t, json.Unmarshal(res.Stdout, &got), "%s", res.Stderr)
			assert.Equal(t, len(got.Stuck), 0, "folds that do not open and close: %q", got.Stuck)
			assert.Assert(t, got.Toggled > 3, "%d folds", got.Toggled)
			assert.Assert(t, len(got.Unfolded) > len(got.Folded), "%d stops folded, %d unfolded", len(got.Folded), len(got.Unfolded))
			assert.Equal(t, len(got.Unfolded), got.Reachable, "some links and folds are passed over")
			assert.Equal(t, got.Skip, "#gates")
			assert.Equal(t, got.Fixed, 0, "%d of %d wide parts cannot be moved by keys", got.Fixed, got.Wide)
			for _, way := range [][]stop{got.Folded, got.Unfolded} {
				assert.Assert(t, slices.IsSortedFunc(way, func(a, b stop) int { return a.Index - b.Index }), "the focus jumps: %v", way)
			}
			slices.Reverse(got.Back)
			for i, s := range got.Unfolded {
				assert.Assert(t, s.Seen, "%q has the focus out of sight", s.Name)
				assert.Assert(t, s.Outline >= 2 && s.Contrast >= 3, "the focus on %q can hardly be seen: %v px, contrast %.1f", s.Name, s.Outline, s.Contrast)
				assert.Equal(t, got.Back[i].Name, s.Name, "another way back")
			}
		})
	}
}
