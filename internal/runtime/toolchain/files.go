package toolchain

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// nodeSources follow setup-node's order, with version managers' files first.
var nodeSources = []source{
	{".nvmrc", firstLine},
	{".node-version", firstLine},
	{".tool-versions", toolVersions("nodejs", "node")},
	{"mise.toml", miseTool("node", "nodejs")},
	{".mise.toml", miseTool("node", "nodejs")},
	{"package.json", packageNode},
}

var goSources = []source{
	{"go.work", goDirective},
	{"go.mod", goDirective},
	{".go-version", firstLine},
	{".tool-versions", toolVersions("golang", "go")},
	{"mise.toml", miseTool("go", "golang")},
	{".mise.toml", miseTool("go", "golang")},
}

var pythonSources = []source{
	{".python-version", firstLine},
	{".python-versions", firstLine},
	{".tool-versions", toolVersions("python")},
	{"mise.toml", miseTool("python")},
	{".mise.toml", miseTool("python")},
	{"pyproject.toml", projectPython},
	{"Pipfile", pipfilePython},
	{"runtime.txt", func(data string) (string, string) {
		line, _ := firstLine(data)
		spec, ok := strings.CutPrefix(line, "python-")
		if !ok {
			return "", ""
		}
		return spec, ""
	}},
	{"setup.cfg", matching(`(?m)^\s*python_requires\s*=\s*([^\n#]+)`, "python_requires")},
	{"setup.py", matching(`python_requires\s*=\s*["']([^"']+)["']`, "python_requires")},
}

func matching(pattern, key string) func(string) (string, string) {
	re := regexp.MustCompile(pattern)
	return func(data string) (string, string) {
		if m := re.FindStringSubmatch(data); m != nil {
			return strings.TrimSpace(m[1]), key
		}
		return "", ""
	}
}

// goDirective prefers the toolchain line to the go line of go.mod or go.work.
func goDirective(data string) (spec, key string) {
	for line := range strings.Lines(data) {
		line, _, _ = strings.Cut(line, "//")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "toolchain" && fields[1] != "default" && fields[1] != "local":
			return strings.TrimPrefix(fields[1], "go"), "toolchain"
		case len(fields) == 2 && fields[0] == "go" && spec == "":
			spec, key = fields[1], "go"
		}
	}
	return spec, key
}

// packageJSON is what this package reads of package.json. devEngines holds one
// object or a list of them.
type packageJSON struct {
	Volta struct {
		Node string `json:"node"`
	} `json:"volta"`
	DevEngines struct {
		Runtime        json.RawMessage `json:"runtime"`
		PackageManager json.RawMessage `json:"packageManager"`
	} `json:"devEngines"`
	Engines        map[string]string `json:"engines"`
	PackageManager string            `json:"packageManager"`
}

func packageNode(data string) (spec, key string) {
	var p packageJSON
	if json.Unmarshal([]byte(data), &p) != nil {
		return "", ""
	}
	if p.Volta.Node != "" {
		return p.Volta.Node, "volta.node"
	}
	for _, e := range engines(p.DevEngines.Runtime) {
		if e.Name == "node" && e.Version != "" {
			return e.Version, "devEngines.runtime"
		}
	}
	return p.Engines["node"], "engines.node"
}

type engine struct{ Name, Version string }

func engines(raw json.RawMessage) []engine {
	var one engine
	if json.Unmarshal(raw, &one) == nil && one.Name != "" {
		return []engine{one}
	}
	var many []engine
	if json.Unmarshal(raw, &many) != nil {
		return nil
	}
	return many
}

type lock struct{ file, manager string }

// locks name the package manager of a lockfile.
var locks = []lock{
	{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"},
	{"package-lock.json", "npm"}, {"npm-shrinkwrap.json", "npm"},
}

// manager finds the package manager: pinned in package.json (with its hash), or
// named by the lockfile.
func (t Tree) manager() *Manager {
	for _, dir := range t.dirs {
		if data, ok := t.read(dir, "package.json"); ok {
			if m := pinnedManager(data, path.Join(dir, "package.json")); m != nil {
				return m
			}
		}
		for _, l := range locks {
			data, ok := t.read(dir, l.file)
			if !ok {
				continue
			}
			m := &Manager{Name: l.manager, Version: Want{Source: path.Join(dir, l.file)}}
			m.Version.Spec = lockedManager(l.manager, data)
			return m
		}
	}
	return &Manager{Name: "npm", Version: Want{Source: "package.json without a lockfile"}}
}

func pinnedManager(data, file string) *Manager {
	var p packageJSON
	if json.Unmarshal([]byte(data), &p) != nil {
		return nil
	}
	if name, version, ok := strings.Cut(p.PackageManager, "@"); ok && knownManager(name) {
		version, hash, _ := strings.Cut(version, "+")
		return &Manager{Name: name, Hash: hash, Version: Want{Spec: version, Source: file + " packageManager"}}
	}
	for _, e := range engines(p.DevEngines.PackageManager) {
		if knownManager(e.Name) {
			return &Manager{Name: e.Name, Version: Want{Spec: e.Version, Source: file + " devEngines.packageManager"}}
		}
	}
	return nil
}

func knownManager(name string) bool {
	return slices.ContainsFunc(locks, func(l lock) bool { return l.manager == name })
}

// lockedManager tells the major version that wrote a lockfile.
func lockedManager(manager, data string) string {
	head := data[:min(len(data), 4096)]
	switch manager {
	case "yarn":
		if strings.Contains(head, "__metadata:") {
			return "4"
		}
		return "1"
	case "pnpm":
		switch {
		case strings.Contains(head, "lockfileVersion: '9"):
			return "10"
		case strings.Contains(head, "lockfileVersion: '6"):
			return "8"
		case strings.Contains(head, "lockfileVersion: 5"):
			return "7"
		}
	}
	return ""
}

func miseTool(names ...string) func(string) (string, string) {
	return func(data string) (string, string) {
		var f struct {
			Tools map[string]any `toml:"tools"`
		}
		if toml.Unmarshal([]byte(data), &f) != nil {
			return "", ""
		}
		for _, name := range names {
			switch v := f.Tools[name].(type) {
			case string:
				return v, "tools." + name
			case map[string]any:
				if s, ok := v["version"].(string); ok {
					return s, "tools." + name
				}
			case []any:
				if len(v) > 0 {
					if s, ok := v[0].(string); ok {
						return s, "tools." + name
					}
				}
			}
		}
		return "", ""
	}
}

func projectPython(data string) (spec, key string) {
	var f struct {
		Project struct {
			RequiresPython string `toml:"requires-python"`
		} `toml:"project"`
		Tool struct {
			Poetry struct {
				Dependencies map[string]any `toml:"dependencies"`
			} `toml:"poetry"`
		} `toml:"tool"`
	}
	if toml.Unmarshal([]byte(data), &f) != nil {
		return "", ""
	}
	if f.Project.RequiresPython != "" {
		return f.Project.RequiresPython, "project.requires-python"
	}
	if s, ok := f.Tool.Poetry.Dependencies["python"].(string); ok {
		return s, "tool.poetry.dependencies.python"
	}
	return "", ""
}

func pipfilePython(data string) (spec, key string) {
	var f struct {
		Requires struct {
			Full    string `toml:"python_full_version"`
			Version string `toml:"python_version"`
		} `toml:"requires"`
	}
	if toml.Unmarshal([]byte(data), &f) != nil {
		return "", ""
	}
	if f.Requires.Full != "" {
		return f.Requires.Full, "requires.python_full_version"
	}
	return f.Requires.Version, "requires.python_version"
}
