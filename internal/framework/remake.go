package framework

import (
	"cmp"
	"io/fs"
	"path"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/shell"
)

// Remake is a command that builds an artifact of the sources; empty when none is
// known.
func Remake(a adapter.Artifact, root string, d adapter.Detection) string {
	has := func(name string) bool {
		_, err := fs.Stat(rooted.FS(root), path.Join(cmp.Or(d.Dir, "."), name))
		return err == nil
	}
	switch path.Ext(a.Path) {
	case ".so", ".pyd":
		if has("setup.py") || has("pyproject.toml") {
			return python.Mend(root, d, "", "")
		}
	case ".node":
		if has("binding.gyp") {
			return shell.InDir(d.Dir, "npx node-gyp rebuild")
		}
	}
	return ""
}
