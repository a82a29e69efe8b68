package framework

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// project is one folder as the adapters see it.
type project struct {
	*tree
	dir string // "." for the root
	pkg *manifest
	// broken says why package.json cannot be used; empty when it can.
	broken string
	// calls is the leaf of a test script that a detection is asked for; none
	// asks for what configuration and dependencies prove.
	calls []leaf
}

// manifest is the part of package.json that matters here.
type manifest struct {
	Name                 string                     `json:"name"`
	Type                 string                     `json:"type"`
	Scripts              map[string]string          `json:"scripts"`
	Dependencies         map[string]string          `json:"dependencies"`
	DevDependencies      map[string]string          `json:"devDependencies"`
	OptionalDependencies map[string]string          `json:"optionalDependencies"`
	Workspaces           json.RawMessage            `json:"workspaces"`
	Jest                 json.RawMessage            `json:"jest"`
	Mocha                json.RawMessage            `json:"mocha"`
	C8                   json.RawMessage            `json:"c8"`
	Nyc                  json.RawMessage            `json:"nyc"`
	Wireit               map[string]json.RawMessage `json:"wireit"`

	order []string // the names of the scripts as they stand
}

// parseManifest reads a package.json. A value of another kind than npm knows is
// left out; what is no JSON object at all is an error.
func parseManifest(data []byte) (*manifest, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var m manifest
	err := json.Unmarshal(data, &m)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	m.order = scriptNames(data)
	return &m, nil
}

// scriptNames are the names of the scripts in the order of the file.
func scriptNames(data []byte) []string {
	var top struct {
		Scripts json.RawMessage `json:"scripts"`
	}
	_ = json.Unmarshal(data, &top) // checked by the caller
	d := json.NewDecoder(bytes.NewReader(top.Scripts))
	var out []string
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			break
		}
		if text, ok := name.(string); ok && !slices.Contains(out, text) && len(out) < maxSteps {
			out = append(out, text)
		}
	}
	return out
}

func newProject(t *tree, dir string) *project {
	p := &project{tree: t, dir: dir}
	if data, ok := t.read(path.Join(dir, "package.json")); ok {
		var err error
		if p.pkg, err = parseManifest(data); err != nil {
			p.broken = cut(err.Error(), maxShown)
			if len(data) == maxConfig {
				p.broken = fmt.Sprintf("more than %d bytes", maxConfig)
			}
		}
	}
	return p
}

// testScripts are the scripts that may run the tests: "test" first, then the
// usual names of unit tests, then whatever else begins with "test".
func (m *manifest) testScripts() []string {
	order := []string{"test", "test:unit", "unit", "unit-test", "test-unit", "test:ci", "test-ci", "ci:test"}
	var rest, out []string
	for name := range m.Scripts {
		if strings.HasPrefix(name, "test") && !slices.Contains(order, name) && !asideScript.MatchString(name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range append(order, rest...) {
		if strings.TrimSpace(m.Scripts[name]) != "" {
			out = append(out, name)
		}
	}
	return out
}

// asideScript are test scripts that are not the suite: watchers, other layers.
var asideScript = regexp.MustCompile(`(?i)[:_-](watch|dev|ui|debug|e2e|browser|types?|lint|bench|update|snapshots?|open)`)

// call is the leaf that the detection is about, when one of programs runs it.
func (p *project) call(programs ...string) (l leaf, ok bool) {
	for _, l := range p.calls {
		if slices.Contains(programs, l.program) {
			return l, true
		}
	}
	return leaf{}, false
}

// declared gives the version range under which package.json lists a package,
// here or, for hoisted development dependencies, further up.
func (p *project) declared(name string) string {
	if p.pkg == nil {
		return ""
	}
	for _, list := range []map[string]string{p.pkg.DevDependencies, p.pkg.Dependencies, p.pkg.OptionalDependencies} {
		if v, ok := list[name]; ok {
			return v
		}
	}
	return ""
}

// workspace reports whether package.json is the root of several packages.
func (p *project) workspace() bool {
	return p.pkg != nil && len(p.pkg.Workspaces) > 0 || p.exists(path.Join(p.dir, "pnpm-workspace.yaml")) || p.exists(path.Join(p.dir, "lerna.json"))
}

// module is one installed package.
type module struct {
	version string
	program string // its executable file, relative to the project
}

// module looks a package up in node_modules, here and up to the root.
func (p *project) module(name, executable string) (module, bool) {
	at := p.up(p.dir, path.Join("node_modules", name, "package.json"))
	if at == "" {
		return module{}, false
	}
	data, ok := p.installed(p.dir, at)
	if !ok {
		return module{}, false
	}
	var m struct {
		Version string          `json:"version"`
		Bin     json.RawMessage `json:"bin"`
	}
	if json.Unmarshal(data, &m) != nil || m.Version == "" {
		return module{}, false
	}
	out := module{version: m.Version}
	var one string
	var many map[string]string
	switch {
	case json.Unmarshal(m.Bin, &one) == nil:
		out.program = path.Join(path.Dir(at), one)
	case json.Unmarshal(m.Bin, &many) == nil && many[executable] != "":
		out.program = path.Join(path.Dir(at), many[executable])
	}
	return out, true
}

// node fills in how a runner of the npm world is started: through the file that
// its package names, with node, so that nothing depends on a shell, a shebang
// or a download. With Yarn Plug'n'Play there is no such file; Yarn starts it.
func (p *project) node(d *Detection, pkg, executable string, options []string) {
	d.Version = p.declared(pkg)
	if p.pnp() {
		d.Program = append(p.yarn(), "run", executable)
		d.Installed = p.declared(pkg) != ""
		d.Version = p.locked(pkg, d.Version)
		d.prove(0, "%s: Yarn Plug'n'Play, run through yarn", p.up(p.dir, ".pnp.cjs"))
		if !d.Installed {
			d.Hint = p.install()
		}
		return
	}
	d.Program = append([]string{"node"}, options...)
	m, ok := p.module(pkg, executable)
	if !ok || m.program == "" {
		d.Program = append(d.Program, path.Join("node_modules", ".bin", executable))
		d.Hint = p.install()
		return
	}
	d.Installed, d.Version = true, m.version
	d.Program = append(d.Program, m.program)
}

// has reports whether a package is installed; without node_modules (Plug'n'Play)
// whether it is declared.
func (p *project) hasModule(name string) bool {
	if p.pnp() {
		return p.declared(name) != ""
	}
	_, ok := p.module(name, "")
	return ok
}

func (p *project) pnp() bool { return p.up(p.dir, ".pnp.cjs") != "" }

// yarn is the repository's own copy of Yarn when there is one.
func (p *project) yarn() []string {
	if dir := p.up(p.dir, ".yarn/releases"); dir != "" {
		for _, e := range p.list(path.Join(p.dir, dir)) {
			if strings.HasPrefix(e.Name(), "yarn-") && strings.HasSuffix(e.Name(), ".cjs") {
				return []string{"node", path.Join(dir, e.Name())}
			}
		}
	}
	return []string{"yarn"}
}

// locked reads the resolved version of a package from yarn.lock.
func (p *project) locked(pkg, fallback string) string {
	data, ok := p.installed(p.dir, p.up(p.dir, "yarn.lock"))
	if !ok {
		return fallback
	}
	re := regexp.MustCompile(`(?m)^"?` + regexp.QuoteMeta(pkg) + `@[^\n]*:\n\s+version:? "?([\w.+-]+)`)
	if m := re.FindSubmatch(data); m != nil {
		return string(m[1])
	}
	return fallback
}

// locks maps lockfiles to the command that installs exactly what they name.
var locks = []struct{ file, install string }{
	{"package-lock.json", "npm ci"},
	{"npm-shrinkwrap.json", "npm ci"},
	{"pnpm-lock.yaml", "pnpm install --frozen-lockfile"},
	{"yarn.lock", "yarn install --frozen-lockfile"},
	{"bun.lock", "bun install --frozen-lockfile"},
	{"bun.lockb", "bun install --frozen-lockfile"},
}

// install is the hint for missing dependencies.
func (p *project) install() string {
	for _, l := range locks {
		if at := p.up(p.dir, l.file); at != "" {
			where := fromDot(path.Join(p.dir, path.Dir(at)))
			if l.file == "yarn.lock" && p.up(p.dir, ".yarnrc.yml") != "" {
				return "dependencies are not installed; run: " + inDir(where, "yarn install --immutable")
			}
			return "dependencies are not installed; run: " + inDir(where, l.install)
		}
	}
	return "dependencies are not installed and there is no lockfile; run: " + inDir(fromDot(p.dir), "npm install")
}

// add is the hint for a missing development dependency.
func (p *project) add(pkg string) string {
	command := "npm install --save-dev "
	switch {
	case p.up(p.dir, "pnpm-lock.yaml") != "":
		command = "pnpm add --save-dev "
	case p.up(p.dir, "yarn.lock") != "":
		command = "yarn add --dev "
	case p.up(p.dir, "bun.lock") != "", p.up(p.dir, "bun.lockb") != "":
		command = "bun add --dev "
	}
	return inDir(fromDot(p.dir), command+pkg)
}

// scripted adds the evidence of a test script and takes over its environment.
func (d *Detection) scripted(l leaf) {
	if l.source == "package.json" {
		d.prove(rankScript, "package.json: script %q runs %s", l.script, l.program)
	} else {
		d.prove(rankScript, "%s: %q runs %s", l.source, l.script, l.program)
	}
	d.Env = append(d.Env, l.env...)
}

// languageFacts notes what generated code must fit in with.
func (p *project) languageFacts(d *Detection) {
	d.Modules = p.pkg != nil && p.pkg.Type == "module"
	d.TypeScript = p.exists(path.Join(p.dir, "tsconfig.json"))
}
