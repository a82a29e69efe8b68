package framework

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func TestPythonFacts(t *testing.T) {
	t.Parallel()
	venv := map[string]string{
		".venv/pyvenv.cfg": "", ".venv/bin/python": "", ".venv/lib/python3.11/site-packages/pytest-8.4.2.dist-info/METADATA": "",
	}
	with := func(extra map[string]string) map[string]string {
		out := map[string]string{}
		for _, m := range []map[string]string{venv, extra} {
			for k, v := range m {
				out[k] = v
			}
		}
		return out
	}
	cov := ".venv/lib/python3.11/site-packages/pytest_cov-7.1.0.dist-info/METADATA"
	for name, c := range map[string]struct {
		files   map[string]string
		tool    string
		sources []string
		plugins []string
	}{
		"no coverage tool": {files: with(map[string]string{"pytest.ini": ""})},
		"src layout": {
			files: with(map[string]string{"pytest.ini": "", "src/a/__init__.py": "", cov: ""}), tool: "pytest-cov", sources: []string{"src"},
		},
		"packages": {
			files: with(map[string]string{"pytest.ini": "", "a/__init__.py": "", "tests/__init__.py": "", cov: ""}), tool: "pytest-cov", sources: []string{"a"},
		},
		"modules": {
			files: with(map[string]string{"pytest.ini": "", "a.py": "", cov: ""}), tool: "pytest-cov", sources: []string{"."},
		},
		"configured": {
			files: with(map[string]string{"pytest.ini": "", ".coveragerc": "[run]\nsource =\n    a\n", cov: ""}), tool: "pytest-cov",
		},
		"in addopts": {
			files: with(map[string]string{"pytest.ini": "[pytest]\naddopts = --cov=a\n  --cov-fail-under=90\n", cov: ""}),
			tool:  "pytest-cov", plugins: []string{"cov-in-addopts"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := Detect(fixture.Files(t, c.files), "")
			if err != nil || len(found) != 1 {
				t.Fatalf("Detect = %v, %v", found, err)
			}
			d := found[0]
			if !d.Installed || d.Version != "8.4.2" || d.Program[0] != ".venv/bin/python" {
				t.Errorf("installed %v, version %q, program %q", d.Installed, d.Version, d.Program)
			}
			if d.CoverageTool != c.tool || !cmp.Equal(d.Sources, c.sources) || !cmp.Equal(d.Plugins, c.plugins) {
				t.Errorf("tool %q sources %q plugins %q, want %q %q %q", d.CoverageTool, d.Sources, d.Plugins, c.tool, c.sources, c.plugins)
			}
		})
	}
}

// A hostile repository must not make detection fail, panic or leave the tree.
func FuzzDetect(f *testing.F) {
	f.Add(`{"scripts":{"test":"npm test"},"jest":[]}`, "[tool.pytest.ini_options]\naddopts = 3\n", "[pytest]\n = x\n  y\n")
	f.Add(`{"scripts":{"test":"c8 --a b \"mocha"},"mocha":{"spec":1},"nyc":{}}`, "[tool.pytest]\ntestpaths = {}\n", "[tool:pytest\n")
	f.Fuzz(func(t *testing.T, manifest, project, config string) {
		dir := fixture.Files(t, map[string]string{"package.json": manifest, "pyproject.toml": project, "setup.cfg": config, "tox.ini": config})
		found, err := Detect(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found {
			a, err := For(d.Framework)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := a.Invocation(d, adapter.Request{OutDir: "/out", Coverage: true}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
