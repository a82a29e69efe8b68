package floors

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// dials is what makes a client or uses one that has no limits.
var dials = regexp.MustCompile(`\bhttp\.(Client|Transport)\{|\bhttp\.(DefaultClient|DefaultTransport|Get|Head|Post|PostForm)\b|cleanhttp\.|retryablehttp\.NewClient`)

// TestOnlyWebMakesClients: a reply has no limits unless internal/web gives them.
// Another client may stand on top, when its transport comes from there.
func TestOnlyWebMakesClients(t *testing.T) {
	t.Parallel()
	root, seen := filepath.Join("..", ".."), 0
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if dir := filepath.Base(filepath.Dir(path)); dir == "web" {
				return nil
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			seen++
			for line := range strings.Lines(string(raw)) {
				if !strings.Contains(line, "http") { // an expression takes long to say so
					continue
				}
				if made := dials.FindString(line); made != "" && !strings.Contains(line, "http.Client{Transport: counted{") {
					t.Errorf("%s: %s: clients are made by internal/web", path, made)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Fatalf("only %d files looked at: the walk is broken", seen)
	}
}
