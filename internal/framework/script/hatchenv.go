package script

import (
	"maps"
	"path"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// hatchEnv is an environment of hatch.
type hatchEnv struct {
	Scripts   map[string]any    `toml:"scripts"`
	Extra     map[string]any    `toml:"extra-scripts"`
	Vars      map[string]string `toml:"env-vars"`
	Template  *string           `toml:"template"`
	Detached  bool              `toml:"detached"`
	Overrides map[string]any    `toml:"overrides"`
	Arguments []string          `toml:"default-args"`
	More      []string          `toml:"extra-args"`
}

// hatchEnvs are the environments of a folder, each with what it has from its
// template: scripts one by one, the rest as a whole.
func hatchEnvs(r *Reader, dir string) map[string]hatchEnv {
	type table struct {
		Envs map[string]hatchEnv `toml:"envs"`
	}
	raw := map[string]hatchEnv{}
	take := func(t table) {
		for name, e := range t.Envs {
			if _, ok := raw[name]; !ok {
				raw[name] = e
			}
		}
	}
	if data, ok := r.file(path.Join(dir, "hatch.toml")); ok {
		var t table
		_ = toml.Unmarshal(data, &t) // what was read before an error counts
		take(t)
	}
	if data, ok := r.file(path.Join(dir, "pyproject.toml")); ok {
		var py struct {
			Tool struct {
				Hatch table `toml:"hatch"`
			} `toml:"tool"`
		}
		_ = toml.Unmarshal(data, &py) // likewise
		take(py.Tool.Hatch)
	}
	out := map[string]hatchEnv{}
	for name := range raw {
		out[name] = templated(raw, name, 0)
	}
	return out
}

func templated(raw map[string]hatchEnv, name string, depth int) hatchEnv {
	e := raw[name]
	scripts := map[string]any{}
	maps.Copy(scripts, e.Scripts)
	maps.Copy(scripts, e.Extra)
	template := "default"
	if e.Template != nil {
		template = *e.Template
	}
	if _, ok := raw[template]; ok && template != name && !e.Detached && !strings.HasPrefix(name, "hatch-") && depth < maxTrail {
		from := templated(raw, template, depth+1)
		for n, s := range from.Scripts {
			if _, own := scripts[n]; !own {
				scripts[n] = s
			}
		}
		if e.Vars == nil {
			e.Vars = from.Vars
		}
		if e.Overrides == nil {
			e.Overrides = from.Overrides
		}
	}
	e.Scripts = scripts
	return e
}
