package coverage

import (
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// Who asks for counts alone gets those that come with all lines.
func TestCountsAreThoseOfLines(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		for _, file := range reports(t, name) {
			o := Options{Tracked: tracked, Format: name}
			whole, err := Read([]string{file}, o)
			var files []qa.FileCoverage
			o.Each = func(f *qa.FileCoverage) { files = append(files, *f) }
			counts, failed := Read([]string{file}, o)
			if err != nil {
				assert.Error(t, failed, err.Error())
				continue
			}
			assert.NilError(t, failed)
			lines := 0
			for i := range whole.Files {
				f := &whole.Files[i]
				lines += len(f.Lines)
				f.Lines, f.Funcs, f.Arms, f.Units = nil, nil, nil, nil
			}
			assert.Equal(t, len(counts.Files), 0)
			counts.Files = files
			assert.DeepEqual(t, counts, whole)
			if name == "lcov" {
				assert.Assert(t, lines > 0, file)
			}
		}
	}
	// Several reports are joined by their lines.
	two := []string{filepath.Join("testdata", "lcov", "jest.info"), filepath.Join("testdata", "cobertura", "jest.xml")}
	whole, err := Read(two, Options{Tracked: tracked})
	assert.NilError(t, err)
	var files []qa.FileCoverage
	counts, err := Read(two, Options{Tracked: tracked, Each: func(f *qa.FileCoverage) { files = append(files, *f) }})
	assert.NilError(t, err)
	assert.Equal(t, len(counts.Files), 0)
	counts.Files = files
	assert.DeepEqual(t, counts, whole)
}
