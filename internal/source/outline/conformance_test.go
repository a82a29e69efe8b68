package outline

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestConformance holds every language to the same promises, on the samples and
// on real files that come with the Go toolchain.
func TestConformance(t *testing.T) {
	t.Parallel()
	files := fixture.Samples(t)
	for _, pattern := range []string{"lib/wasm/*.js", "src/runtime/runtime-gdb.py", "src/strings/*.go", "src/net/url/*.go"} {
		found, err := filepath.Glob(filepath.Join(runtime.GOROOT(), filepath.FromSlash(pattern)))
		assert.NilError(t, err)
		assert.Assert(t, len(found) > 0, pattern)
		for _, name := range found {
			src, err := os.ReadFile(name)
			assert.NilError(t, err)
			files = append(files, fixture.Sample{Name: name, Text: src})
		}
	}
	for _, file := range files {
		t.Run(filepath.Base(file.Name), func(t *testing.T) {
			t.Parallel()
			path, src := file.Name, file.Text
			o, err := Parse(path, src)
			assert.NilError(t, err)
			assert.Assert(t, !o.Broken)
			assert.Equal(t, o.Path, path)
			lines := strings.Count(string(src), "\n") + 1
			for i, f := range o.Functions {
				assert.Assert(t, f.Name != "" && f.Complexity >= 1 && f.Signature != "", "%+v", f)
				assert.Assert(t, 1 <= f.Lines.Start && f.Lines.Start <= f.Lines.End && f.Lines.End <= lines, "%+v", f)
				assert.Assert(t, f.Body == qa.Range{} || f.Lines.Contains(f.Body.Start) && f.Lines.Contains(f.Body.End), "%+v", f)
				assert.Assert(t, i == 0 || o.Functions[i-1].StartByte <= f.StartByte, "not in the order of the file")
				assert.Assert(t, o.Enclosing(f.Lines.End) != nil)
				for _, call := range f.Calls {
					assert.Assert(t, call != "" && !strings.ContainsAny(call, "( \n"), "call %q", call)
				}
			}
			for _, im := range o.Imports {
				assert.Assert(t, im.Path != "" && im.Line >= 1 && len(im.Names) == len(im.From), "%+v", im)
			}
		})
	}
}
