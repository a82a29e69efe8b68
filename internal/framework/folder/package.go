package folder

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
)

// Packages finds the packages of files of a tree, looking into each folder once.
type Packages struct {
	tree fs.FS
	of   map[string]string // by folder
}

// NewPackages is for files below root, named as the tree has them.
func NewPackages(root string) Packages {
	return Packages{rooted.FS(root), map[string]string{".": ""}}
}

// Of is the nearest folder above a file that is a package: one with a manifest, or for Go
// the folder itself; "" is the root.
func (p Packages) Of(file string) string {
	if language.Of(file).Project.FolderIsPackage {
		return strings.TrimPrefix(path.Dir(file), ".")
	}
	return p.folder(path.Dir(file))
}

func (p Packages) folder(dir string) string {
	if known, ok := p.of[dir]; ok {
		return known
	}
	at := dir
	if !slices.ContainsFunc(language.Manifests(), func(manifest string) bool {
		_, err := fs.Stat(p.tree, path.Join(dir, manifest))
		return err == nil
	}) {
		at = p.folder(path.Dir(dir))
	}
	p.of[dir] = at
	return at
}
