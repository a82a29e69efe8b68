package packages

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// Elsewhere is a package of the repository that its own code does not find in the
// tree but as an installed copy.
type Elsewhere struct {
	Name string `json:"name"`
	// At is where, slash separated and relative to the root; empty when it is
	// outside of the tree.
	At string `json:"at,omitempty"`
	// Imported says that code of the repository imports it by its name. A package
	// whose own tools depend on it has a copy that none of its tests may touch.
	Imported bool `json:"imported,omitempty"`
}

// Modules are the packages that code in a tree finds.
type Modules struct {
	Tree string
	// Shared is the tree of which some of them are; empty for none.
	Shared  string
	Tracked *repository.Tracked
}

// Elsewhere looks which packages of the repository, its root and its workspaces,
// code in some directories (slash separated, relative to the root) imports from a
// copy in a node_modules: what such code tests is not the change. A link into the
// tree is the change. Only the files are looked at, as Node.js does.
func (m Modules) Elsewhere(dirs ...string) []Elsewhere {
	fsys := rooted.FS(m.Tree)
	var out []Elsewhere
	for _, dir := range dirs {
		if dir != "" && !filepath.IsLocal(filepath.FromSlash(dir)) {
			continue
		}
		out = each.Added(out, m.from(fsys, path.Clean("./"+dir))...)
	}
	if len(out) > 0 {
		markImported(fsys, m.Tracked.Files(), out)
	}
	return out
}

func (m Modules) from(fsys fs.FS, dir string) []Elsewhere {
	names := toolchain.OwnNames(fsys, nodeRoot(fsys, dir))
	for _, at := range toolchain.Upwards(dir) { // a folder of tests may have a manifest of its own
		maps.Copy(names, toolchain.OwnNames(fsys, at))
	}
	delete(names, toolchain.SelfName(fsys, dir))
	var out []Elsewhere
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if at, elsewhere := m.foundAt(dir, name); elsewhere {
			out = append(out, Elsewhere{Name: name, At: at})
		}
	}
	return out
}

// foundAt looks for an installed package from a directory upwards, and reports
// whether the first there is does not lie in the tree's own source.
func (m Modules) foundAt(dir, name string) (at string, elsewhere bool) {
	top, err := filepath.EvalSymlinks(m.Tree)
	if err != nil {
		return "", false
	}
	for ; ; dir = path.Dir(dir) {
		real, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(path.Join(dir, "node_modules", name))))
		switch rel, in := rooted.Within(top, real); {
		case errors.Is(err, fs.ErrNotExist) && dir == ".":
			return "", false
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", true // nothing that Node.js could find there is ours
		case !in:
			return m.sharedAt(real), true
		case m.Tracked.Dir(rel) || !repository.InPackages(filepath.Join(rel, "package.json")):
			return "", false
		default:
			return filepath.ToSlash(rel), true
		}
	}
}

// sharedAt is the path of what base shares with head, relative to the root.
func (m Modules) sharedAt(real string) string {
	if m.Shared == "" {
		return ""
	}
	top, err := filepath.EvalSymlinks(m.Shared)
	if rel, in := rooted.Within(top, real); err == nil && in {
		return filepath.ToSlash(rel)
	}
	return ""
}
