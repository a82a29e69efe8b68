// Package javascript holds the adapters of frameworks for JavaScript and
// TypeScript, one in a file, and what they share.
package javascript

import (
	"path"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
)

// declared adds the evidence that a manifest names a runner. It is weak where that is
// all, and the folder holds a workspace.
func declared(p *project.Project, d *adapter.Detection, name string) {
	if v := p.Declared(name); v != "" {
		d.Weak = len(d.Evidence) == 0 && p.Workspace()
		d.Prove(adapter.RankDependency, "package.json: %s %s", name, v)
	}
}

// startNode fills in how a runner of the npm world is started: through the file that
// its package names, with node, so that nothing depends on a shell, a shebang
// or a download. With Yarn Plug'n'Play there is no such file; Yarn starts it.
func startNode(p *project.Project, d *adapter.Detection, pkg, executable string, options []string) {
	d.Version = p.Declared(pkg)
	if p.Pnp() {
		d.Program = append(p.Yarn(), "run", executable)
		d.Installed = p.Declared(pkg) != ""
		d.Version = p.Locked(pkg, d.Version)
		d.Prove(0, "%s: Yarn Plug'n'Play, run through yarn", p.Up(p.Dir, ".pnp.cjs"))
		if !d.Installed {
			d.Hint = p.Need(pkg)
		}
		return
	}
	d.Program = append([]string{"node"}, options...)
	m, ok := p.Module(pkg, executable)
	if !ok || m.Program == "" {
		d.Program = append(d.Program, path.Join("node_modules", ".bin", executable))
		d.Hint = p.Need(pkg)
		return
	}
	d.Installed, d.Version = true, m.Version
	d.Program = append(d.Program, m.Program)
}

// languageFacts notes what generated code must fit in with.
func languageFacts(p *project.Project, d *adapter.Detection) {
	d.Modules = p.Pkg != nil && p.Pkg.Type == "module"
	d.TypeScript = p.Exists(path.Join(p.Dir, "tsconfig.json"))
}
