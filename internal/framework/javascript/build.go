package javascript

import (
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/language"
)

var outDir = pattern.New(`"outDir"\s*:\s*"([^"]{1,200})"`)

// Built notes how a JavaScript package makes what its tests may load instead of
// its sources, and where that lies when git tracks it.
func Built(p *project.Project, d *adapter.Detection) {
	if p.Pkg == nil {
		return
	}
	if p.Pkg.Scripts["build"] != "" {
		manager, _, _ := strings.Cut(managerOf(p), " ")
		d.Build = [][]string{{manager, "run", "build"}}
	}
	for _, config := range []string{"tsconfig.json", "tsconfig.build.json"} {
		data, _ := p.Read(path.Join(p.Dir, config))
		for _, m := range outDir.FindAllSubmatch(data, -1) {
			if dir := path.Join(folder.FromDot(p.Dir), string(m[1])); dir != folder.FromDot(p.Dir) && !strings.HasPrefix(dir, "..") {
				d.Outputs = append(d.Outputs, dir)
			}
		}
	}
}

// managerOf is how the package's manager is called, by its lock file.
func managerOf(p *project.Project) string {
	for _, l := range language.Installs {
		if p.Up(p.Dir, l.File) != "" {
			return l.Install
		}
	}
	return "npm"
}
