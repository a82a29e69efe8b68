package cache

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// A suite of which little is compiled anew is near to what was noted; one that imports
// what nobody compiled, or that is compiled at another path, is not.
func TestNear(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at, file, text string
		want           bool
	}{
		"nothing changed":                 {want: true},
		"one of forty packages":           {file: "p7/p.go", text: "package p7\n\nimport _ \"fmt\"\n\nvar A = 2\n", want: true},
		"its tests":                       {file: "p7/p_test.go", text: "package p7\n\n// other\n", want: true},
		"a package that all others need":  {file: "low/low.go", text: "package low\n\nvar A = 2\n"},
		"the tests of that one":           {file: "low/low_test.go", text: "package low\n\n// other\n", want: true},
		"the package on top of all":       {file: "top.go", text: "package top\n"},
		"a package that nobody has had":   {file: "p7/p.go", text: "package p7\n\nimport _ \"net/http\"\n"},
		"a new package":                   {file: "new/new.go", text: "package fresh\n\nimport _ \"fmt\"\n", want: true},
		"a file in another language":      {file: "README.md", text: "other", want: true},
		"the same, at another path":       {at: "/elsewhere"},
		"an assembler file of all others": {file: "low/low.s", text: "TEXT\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, dir, "low/low.go", "package low\n\nvar A = 1\n")
			put(t, dir, "low/low_test.go", "package low\n")
			for i := range 39 {
				put(t, dir, fmt.Sprintf("p%d/p.go", i), fmt.Sprintf("package p%d\n\nimport (\n\t_ \"fmt\"\n\t_ \"example.com/m/low\"\n)\n", i))
				put(t, dir, fmt.Sprintf("p%d/p_test.go", i), fmt.Sprintf("package p%d\n", i))
			}
			before, err := ReadSources(dir, "/tree", io.Discard)
			assert.NilError(t, err)
			if c.file != "" {
				assert.NilError(t, os.RemoveAll(filepath.Join(dir, c.file)))
				put(t, dir, c.file, c.text)
			}
			if c.at == "" {
				c.at = "/tree"
			}
			now, err := ReadSources(dir, c.at, io.Discard)
			assert.NilError(t, err)
			assert.Equal(t, now.near(before.marks()), c.want)
		})
	}
	var none Sources
	assert.Assert(t, !none.near(nil))
}
