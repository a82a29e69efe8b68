package python

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

func TestModulesOfAProject(t *testing.T) {
	t.Parallel()
	dir := fixture.Files(t, map[string]string{
		"src/kit/__init__.py": "", "pyproject.toml": "[project]\nname = \"my-kit.core\"\n", "tests/__init__.py": "",
	})
	tops := ownTops(dir, "")
	for module, want := range map[string]bool{
		"kit": true, "kit.fast": true, "_kit": true, "_kit_speed": true, "my_kit_core": true, "kitchen": false, "_ssl": false, "numpy.core": false, "tests": false,
	} {
		assert.Equal(t, ofProject(tops, module), want, module)
	}
}
