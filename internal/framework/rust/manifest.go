package rust

import (
	"io/fs"
	"path"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/language"
)

// cargoManifest is what is read of a Cargo.toml.
type cargoManifest struct {
	Package *struct {
		Name string `toml:"name"`
	} `toml:"package"`
	Workspace *struct {
		Exclude []string `toml:"exclude"`
	} `toml:"workspace"`
}

func readCargo(t *folder.Tree, dir string) (m cargoManifest, there bool) {
	data, there := t.Read(path.Join(dir, "Cargo.toml"))
	_ = toml.Unmarshal(data, &m) // cargo says what is wrong with it
	return m, there
}

// inWorkspace reports whether a package belongs to a workspace further up, whose
// run has its tests.
func inWorkspace(p *project.Project, m cargoManifest) bool {
	for dir := p.Dir; m.Workspace == nil && dir != "."; {
		dir = path.Dir(dir)
		if up, _ := readCargo(p.Tree, dir); up.Workspace != nil {
			return !slices.ContainsFunc(up.Workspace.Exclude, func(e string) bool { return folder.Within(p.Dir, folder.FromDot(path.Join(dir, e))) })
		}
	}
	return false
}

// testsInside reports whether a package has tests at all.
func testsInside(p *project.Project) bool {
	read := 0
	return p.Exists(path.Join(p.Dir, "tests")) || slices.ContainsFunc(p.List(path.Join(p.Dir, "src")), func(e fs.DirEntry) bool {
		read++
		data, _ := p.Read(path.Join(p.Dir, "src", e.Name()))
		mark := language.Of(e.Name()).Tests.Mark
		return read < 100 && mark != nil && mark.Match(data)
	})
}
