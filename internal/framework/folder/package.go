package folder

import (
	"io/fs"
	"path"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
)

// PackageOf is the nearest folder above a file that is a package: one with a
// manifest, or for Go the folder itself; "" is the root.
func PackageOf(root, file string) string {
	if language.Of(file).Project.FolderIsPackage {
		return strings.TrimPrefix(path.Dir(file), ".")
	}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		for _, manifest := range language.Manifests() {
			if _, err := fs.Stat(rooted.FS(root), path.Join(dir, manifest)); err == nil {
				return dir
			}
		}
	}
	return ""
}
