package toolchain

import (
	"maps"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestNeeds(t *testing.T) {
	was := map[string]string{
		"package.json":              `{"name":"a","version":"1.0.0","scripts":{"test":"x"},"dependencies":{"b":"1","a":"2"},"workspaces":["packages/*","!packages/old","tools/**"]}`,
		"package-lock.json":         "{}",
		"packages/one/package.json": `{"name":"one","dependencies":{}}`, "packages/old/package.json": `{}`, "fixtures/x/package.json": `{}`,
		"tools/a/b/package.json": `{}`,
		"pyproject.toml":         "[project]\nname='a'\nversion='1'\ndependencies=['x']\n[tool.ruff]\nline-length=1\n",
		"setup.cfg":              "[flake8]\na=1\n[options]\ninstall_requires=\n  x\n[options.extras_require]\nt=y\n",
		"requirements-dev.txt":   "x==1\n", "requirements/ci.txt": "y\n",
	}
	for _, c := range []struct {
		name, file, text string
		node, python     []string
	}{
		{"nothing", "src/a.js", "x", nil, nil},
		{"scripts, version and order", "package.json", `{"name":"a","version":"2.0.0","scripts":{"test":"y"},"workspaces":["packages/*","!packages/old","tools/**"],"dependencies":{"a":"2","b":"1"}}`, nil, nil},
		{"a dependency", "package.json", `{"name":"a","dependencies":{"b":"2","a":"2"},"workspaces":["packages/*","!packages/old","tools/**"]}`, []string{"package.json"}, nil},
		{"an override", "package.json", `{"name":"a","overrides":{"c":"1"},"dependencies":{"b":"1","a":"2"},"workspaces":["packages/*","!packages/old","tools/**"]}`, []string{"package.json"}, nil},
		{"no longer JSON", "package.json", `{`, []string{"package.json", "packages/one/package.json", "tools/a/b/package.json"}, nil},
		{"a lock", "package-lock.json", "{ }", []string{"package-lock.json"}, nil},
		{"a lock that was not there", "yarn.lock", "", []string{"yarn.lock"}, nil},
		{"a registry", ".npmrc", "registry=x", []string{".npmrc"}, nil},
		{"a patch", "patches/b.patch", "x", []string{"patches/b.patch"}, nil},
		{"a member", "packages/one/package.json", `{"name":"one","dependencies":{"x":"1"}}`, []string{"packages/one/package.json"}, nil},
		{"a member far down", "tools/a/b/package.json", `{"dependencies":{"x":"1"}}`, []string{"tools/a/b/package.json"}, nil},
		{"no member", "packages/old/package.json", `{"dependencies":{"x":"1"}}`, nil, nil},
		{"a fixture", "fixtures/x/package.json", `{"dependencies":{"x":"1"}}`, nil, nil},
		{"a linter's settings", "pyproject.toml", "[project]\nname='a'\nversion='2'\ndependencies=['x']\n", nil, nil},
		{"a group", "pyproject.toml", "[project]\nname='a'\ndependencies=['x']\n[dependency-groups]\ndev=['y']\n", nil, []string{"pyproject.toml"}},
		{"a build system", "pyproject.toml", "[build-system]\nrequires=['z']\n[project]\nname='a'\ndependencies=['x']\n", nil, []string{"pyproject.toml"}},
		{"settings beside", "setup.cfg", "[flake8]\na=2\n[options]\ninstall_requires=\n  x\n[options.extras_require]\nt=y\n", nil, nil},
		{"an extra", "setup.cfg", "[options]\ninstall_requires=\n  x\n[options.extras_require]\nt=z\n", nil, []string{"setup.cfg"}},
		{"requirements", "requirements-dev.txt", "x==2\n", nil, []string{"requirements-dev.txt"}},
		{"requirements in a folder", "requirements/ci.txt", "y==2\n", nil, []string{"requirements/ci.txt"}},
		{"a lock of Python", "uv.lock", "x", nil, []string{"uv.lock"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := maps.Clone(was)
			now[c.file] = c.text
			before, after := tree(was), tree(now)
			if diff := cmp.Diff(c.node, NodeNeeds(before, ".").Differ(NodeNeeds(after, "."))); diff != "" {
				t.Errorf("Node.js (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.python, PythonNeeds(before, ".").Differ(PythonNeeds(after, "."))); diff != "" {
				t.Errorf("Python (-want +got):\n%s", diff)
			}
			if same := NodeNeeds(before, ".").Digest() == NodeNeeds(after, ".").Digest(); same != (c.node == nil) {
				t.Errorf("digests are the same: %v", same)
			}
		})
	}
}

func tree(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}
