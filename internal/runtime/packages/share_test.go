package packages

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// Installers keep packages in a folder of node_modules whose name begins with a dot, and
// links lead into it; caches of tools are called so, too, and know their own tree.
func TestStoresAreShared(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]bool{".pnpm": true, ".bun": true, ".store": true, ".deno": true, ".cache": false, ".vite": false} {
		from, to := fixture.Files(t, map[string]string{"node_modules/" + folder + "/one@1.0.0/node_modules/one/index.js": "exports.one = 1;\n"}), t.TempDir()
		assert.NilError(t, os.Symlink(folder+"/one@1.0.0/node_modules/one", filepath.Join(from, "node_modules/one")))
		assert.NilError(t, Share{From: from, To: to, Via: from, Named: to}.Installs(Needed{}))
		_, err := os.Stat(filepath.Join(to, "node_modules/one/index.js"))
		assert.Equal(t, err == nil, want, folder)
	}
}
