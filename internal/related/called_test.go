package related

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestBodiesOfOtherFiles: what changed lines run is shown whole where it is small, in
// whatever file it stands: through a package that hands it on, in a class above, or where a
// method stands for that of one. Each file of testdata/callees is a case: the function and
// the line that the change wrote in place of another, the files, and what is shown.
func TestBodiesOfOtherFiles(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob(filepath.Join("testdata", "callees", "*.txtar"))
	assert.NilError(t, err)
	assert.Assert(t, len(cases) > 0)
	for _, name := range cases {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(name)
			assert.NilError(t, err)
			archive := txtar.Parse(raw)
			head := strings.SplitN(strings.TrimSpace(string(archive.Comment)), "\n", 2)
			file, symbol, _ := strings.Cut(head[0], " ")
			files, want := map[string]string{}, ""
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = strings.TrimSuffix(string(f.Data), "\n")
				} else {
					files[f.Name] = string(f.Data)
				}
			}
			lines := strings.Split(files[file], "\n")
			at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, head[1]) })
			assert.Assert(t, at >= 0, head[1])
			before := slices.Clone(lines)
			before[at] = strings.Replace(before[at], head[1], "n", 1)
			changed := qa.FileChange{Path: file, Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: at + 1, End: at + 1}}}
			c := code(t, files, qa.Change{Base: "base", Files: []qa.FileChange{changed}})
			c.o.Content = func(context.Context, string, string) ([]byte, error) { return []byte(strings.Join(before, "\n")), nil }
			seen, _ := c.Side(t.Context(), changed, []byte(files[file]))
			assert.Equal(t, c.Callees(seen, symbol), want)
		})
	}
}
