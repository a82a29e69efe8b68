package packages

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// Base shares what was installed only where no code of the project took part.
func TestInstallationsThatRunTheProject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		in    toolchain.Install
		files map[string]string
		node  bool
		want  bool
	}{
		{"requirements alone", toolchain.Install{Manager: "pip", Commands: [][]string{{"uv", "pip", "install", "-r", "requirements.txt"}}}, map[string]string{"requirements.txt": "flask==3.0 \\\n    --hash=sha256:00\n# -e .\n"}, false, false},
		{"the project among the requirements", toolchain.Install{Manager: "pip", Commands: [][]string{{"uv", "pip", "install", "-r", "requirements.txt"}}}, map[string]string{"requirements.txt": "flask\n-e .[test]\n"}, false, true},
		{"a folder among the requirements", toolchain.Install{Manager: "pip", Commands: [][]string{{"uv", "pip", "install", "-r", "requirements.txt"}}}, map[string]string{"requirements.txt": "./libs/one\n"}, false, true},
		{"requirements that name others", toolchain.Install{Manager: "pip", Commands: [][]string{{"uv", "pip", "install", "-r", "requirements.txt"}}}, map[string]string{"requirements.txt": "-r more.txt\n"}, false, true},
		{"a file that is not there", toolchain.Install{Manager: "pip", Commands: [][]string{{"uv", "pip", "install", "-r", "requirements.txt"}}}, nil, false, true},
		{"the project itself", toolchain.Install{Manager: "uv", Commands: [][]string{{"uv", "sync", "--locked"}}}, nil, false, true},
		{"packages alone", toolchain.Install{Manager: "npm", Commands: [][]string{{"npm", "ci"}}}, map[string]string{"package.json": "{}"}, true, false},
		{"a hook", toolchain.Install{Manager: "npm", Commands: [][]string{{"npm", "ci"}}}, map[string]string{"package.json": `{"scripts": {"prepare": "node build"}}`}, true, true},
		{"a manager of its own", toolchain.Install{Manager: "yarn", Commands: [][]string{{"yarn", "install"}}}, map[string]string{"package.json": "{}", ".yarnrc.yml": "nodeLinker: node-modules\nyarnPath: .yarn/releases/yarn-4.cjs\n"}, true, true},
		{"settings that run nothing", toolchain.Install{Manager: "yarn", Commands: [][]string{{"yarn", "install"}}}, map[string]string{"package.json": "{}", ".yarnrc.yml": "nodeLinker: node-modules\n"}, true, false},
		{"a shell of its own", toolchain.Install{Manager: "npm", Commands: [][]string{{"npm", "ci"}}}, map[string]string{"package.json": "{}", ".npmrc": "script-shell=./sh\n"}, true, true},
	} {
		made := &OneSided{Tree: fixture.Files(t, c.files), Node: map[string]string{}}
		c.in.Source = "manifest"
		made.Installed(c.in)
		got := made.python != ""
		if c.node {
			got = len(made.Node) > 0
		}
		assert.Equal(t, got, c.want, c.name)
	}
}
