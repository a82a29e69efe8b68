package toolchain

import (
	"strings"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/assert"
)

// TestMeetsUV: a lock that has what the project asks for is good for it, whatever words it
// was written in; one that lacks anything is not.
func TestMeetsUV(t *testing.T) {
	t.Parallel()
	const lock = `version = 1
[[package]]
name = "sample"
source = { editable = "." }
requires-dist = [{ name = "attrs", specifier = ">=22" }, { name = "web", extras = ["socks", "tls"] }, { name = "old" }]
[[package]]
name = "attrs"
version = "22.2.0"
[[package]]
name = "web"
version = "2.0"
[[package]]
name = "old"
version = "1.0"
[[package]]
name = "old"
version = "3.0"
`
	const project = `[project]
name = "Sample"
dependencies = ["attrs>=22.2.0"]
`
	for name, c := range map[string]struct {
		project string
		want    bool
	}{
		"met":                  {project, true},
		"another bound":        {strings.Replace(project, "22.2.0", "20", 1), true},
		"too old":              {strings.Replace(project, "22.2.0", "23", 1), false},
		"not there":            {project + "optional-dependencies.x = [\"idna>=3\"]\n", false},
		"one of two fits":      {project + "optional-dependencies.x = [\"old>2; python_version > '3.9'\"]\n", true},
		"its own extras":       {project + "optional-dependencies.x = [\"sample[y]\"]\n[dependency-groups]\nt = [{include-group = \"u\"}]\n", true},
		"extras of another":    {project + "optional-dependencies.x = [\"web[tls, socks]\"]\n", true},
		"extras it lacks":      {project + "optional-dependencies.x = [\"web[http2]\"]\n", false},
		"a group":              {project + "[dependency-groups]\nt = [\"idna\"]\n", false},
		"uv's own":             {project + "[tool.uv]\ndev-dependencies = [\"idna\"]\n", false},
		"an address":           {project + "optional-dependencies.x = [\"old @ git+https://a.test/b\"]\n", false},
		"another source":       {project + "[tool.uv.sources]\nattrs = { git = \"https://a.test/b\" }\n", false},
		"of the workspace":     {project + "[tool.uv.sources]\nattrs = { workspace = true }\n", true},
		"no project":           {"[tool.uv]\n", false},
		"no TOML":              {"[[", false},
		"a version of letters": {project + "optional-dependencies.x = [\"old>=1a\"]\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fsys := fstest.MapFS{"a/uv.lock": {Data: []byte(lock)}, "a/pyproject.toml": {Data: []byte(c.project)}}
			assert.Equal(t, MeetsUV(fsys, "a"), c.want)
		})
	}
	assert.Assert(t, !MeetsUV(fstest.MapFS{"pyproject.toml": {Data: []byte(project)}}, "."))
}
