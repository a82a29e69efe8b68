package python

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
)

// TestModulesNamedLikeTheLibrarys: a module of the project that is called like one of
// the interpreter's is another copy only where the project's own was not loaded; what
// is installed is one in any case.
func TestModulesNamedLikeTheLibrarys(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	own := filepath.Join(root, "io.py")
	assert.NilError(t, os.WriteFile(own, []byte("x = 1\n"), 0o600))
	const lib = "/opt/py/lib/python3.11/"
	for name, c := range map[string]struct {
		loaded map[string]string
		other  bool
	}{
		"both":            {map[string]string{"os": lib + "os.py", "io": lib + "io.py", "tests.io": own}, false},
		"the library's":   {map[string]string{"os": lib + "os.py", "io": lib + "io.py"}, true},
		"a published one": {map[string]string{"os": lib + "os.py", "io": lib + "site-packages/io.py", "tests.io": own}, true},
		"nobody knows":    {map[string]string{"io": lib + "io.py", "tests.io": own}, true},
	} {
		answer, err := json.Marshal(c.loaded)
		assert.NilError(t, err)
		got := readPytestModules(root, adapter.Detection{Dir: "."}, [][]byte{answer})
		assert.Equal(t, len(got.Elsewhere) > 0, c.other, name)
	}
}
