package coverage

import (
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// Who asks for counts alone gets those that come with all lines.
func TestCountsAreThoseOfLines(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		for _, file := range reports(t, name) {
			o := Options{Tracked: tracked, Format: name}
			whole, err := Read([]string{file}, o)
			o.Counts = true
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
	counts, err := Read(two, Options{Tracked: tracked, Counts: true})
	assert.NilError(t, err)
	assert.DeepEqual(t, counts, whole)
}
