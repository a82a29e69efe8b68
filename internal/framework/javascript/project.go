// Package javascript holds the adapters of frameworks for JavaScript and
// TypeScript, one in a file, and what they share.
package javascript

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
)

// forbiddenJS are those of all frameworks for JavaScript: a test that is written
// for one of them may be run by another.
var forbiddenJS = adapter.Retries(`\bjest\.retryTimes\s*\(|\bthis\.retries\s*\(|\bretry\s*:\s*\d`)

// scripted takes over what a script gives to one of some programs, without the options
// that are dropped; ok is false where no script is asked about that runs one of them.
func scripted(p *project.Project, d *adapter.Detection, dropped map[string]bool, programs ...string) (l script.Leaf, ok bool) {
	if l, ok = p.Call(programs...); ok {
		d.Scripted(l)
		d.Args = shell.Without(l.Args, dropped)
	}
	return l, ok
}

// verbless is a script's arguments without the first word "test": what filters may be
// called so, too.
func verbless(args []string) []string {
	if i := slices.Index(args, "test"); i >= 0 {
		return slices.Delete(slices.Clone(args), i, i+1)
	}
	return args
}

// configured adds the evidence of the first of some files that there is.
func configured(p *project.Project, d *adapter.Detection, names ...string) string {
	config := p.First(p.Dir, names...)
	if config != "" {
		d.Prove(adapter.RankConfig, "%s", config)
	}
	return config
}

// declared adds the evidence that a manifest names a runner, and says whether there is
// any. It is weak where that is all, and the folder holds a workspace.
func declared(p *project.Project, d *adapter.Detection, name string) bool {
	if v := p.Declared(name); v != "" {
		d.Weak = len(d.Evidence) == 0 && p.Workspace()
		d.Prove(adapter.RankDependency, "package.json: %s %s", name, v)
	}
	return len(d.Evidence) > 0
}

// limits are the files and patterns that the arguments name; those that a shell has to
// expand are noted.
func limits(d *adapter.Detection, l script.Leaf, values ...map[string]bool) []string {
	_, specs := splitArgs(d.Args, values...)
	for _, s := range specs {
		if slices.Contains(l.Globs, s) {
			d.Plugins = append(d.Plugins, shellGlob+s)
		}
	}
	return specs
}

// invocation is that of a runner of which run gives the command line.
func invocation(name string, run func(adapter.Detection, adapter.Request, *qa.Invocation) []string) func(adapter.Detection, adapter.Request) (qa.Invocation, error) {
	return func(d adapter.Detection, req adapter.Request) (qa.Invocation, error) {
		if err := adapter.Placed(req.Tests, d.Dir); err != nil {
			return qa.Invocation{}, fmt.Errorf("describe %s run: %w", name, err)
		}
		inv := qa.Invocation{Dir: d.Dir, Env: append([]string{"CI=true"}, d.Env...)}
		inv.Argv = run(d, req, &inv)
		return inv, nil
	}
}

// selecting adds the arguments that limit a run to tests.
type selecting func(argv []string, d adapter.Detection, tests []adapter.Selected) []string

// or adds the arguments of the script where no tests are selected.
func (s selecting) or(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	if len(tests) > 0 {
		return s(argv, d, tests)
	}
	return byShell(argv, d)
}

// shard is the option by which runners divide a suite by its files.
func shard(p adapter.Part) string { return fmt.Sprintf("--shard=%d/%d", p.Index, p.Of) }

// ownBinary is the program in the package of a scope that is made for this system, where
// it is installed.
func ownBinary(p *project.Project, scope, prefix, program string) string {
	up := p.Up(p.Dir, path.Join("node_modules", scope))
	for _, e := range p.List(path.Join(p.Dir, up)) {
		if own := path.Join(up, e.Name(), program); up != "" && strings.HasPrefix(e.Name(), prefix) && p.Exists(path.Join(p.Dir, own)) {
			return own
		}
	}
	return ""
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
