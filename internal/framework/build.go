package framework

import (
	"path"
	"regexp"
	"strings"
)

var outDir = regexp.MustCompile(`"outDir"\s*:\s*"([^"]{1,200})"`)

// built notes how a JavaScript package makes what its tests may load instead of
// its sources, and where that lies when git tracks it.
func (p *project) built(d *Detection) {
	if p.pkg == nil {
		return
	}
	if p.pkg.Scripts["build"] != "" {
		manager, _, _ := strings.Cut(p.manager(), " ")
		d.Build = [][]string{{manager, "run", "build"}}
	}
	for _, config := range []string{"tsconfig.json", "tsconfig.build.json"} {
		data, _ := p.read(path.Join(p.dir, config))
		for _, m := range outDir.FindAllSubmatch(data, -1) {
			if dir := path.Join(fromDot(p.dir), string(m[1])); dir != fromDot(p.dir) && !strings.HasPrefix(dir, "..") {
				d.Outputs = append(d.Outputs, dir)
			}
		}
	}
}

// manager is how the package's manager is called, by its lock file.
func (p *project) manager() string {
	for _, l := range locks {
		if p.up(p.dir, l.file) != "" {
			return l.install
		}
	}
	return "npm"
}
