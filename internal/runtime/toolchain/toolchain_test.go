package toolchain

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func files(m map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range m {
		out[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return out
}

func TestResolveNode(t *testing.T) {
	pkg := `{"engines":{"node":">=18"},"packageManager":"pnpm@9.1.0+sha512.abc"}`
	for name, c := range map[string]struct {
		files        map[string]string
		dir          string
		spec, source string
	}{
		"nvmrc":            {map[string]string{"package.json": pkg, ".nvmrc": "# lts\nlts/iron\n", ".node-version": "18"}, "", "lts/iron", ".nvmrc"},
		"node-version":     {map[string]string{"package.json": pkg, ".node-version": "v20.1.0\r\n"}, "", "v20.1.0", ".node-version"},
		"tool-versions":    {map[string]string{"package.json": pkg, ".tool-versions": "python 3.12\nnodejs 22.1.0 20\n"}, "", "22.1.0", ".tool-versions nodejs"},
		"mise":             {map[string]string{"package.json": pkg, "mise.toml": "[tools]\nnode = '22'\n"}, "", "22", "mise.toml tools.node"},
		"volta":            {map[string]string{"package.json": `{"volta":{"node":"20.9.0"},"engines":{"node":"*"}}`}, "", "20.9.0", "package.json volta.node"},
		"devEngines":       {map[string]string{"package.json": `{"devEngines":{"runtime":{"name":"node","version":"^22"}}}`}, "", "^22", "package.json devEngines.runtime"},
		"devEngines list":  {map[string]string{"package.json": `{"devEngines":{"runtime":[{"name":"bun"},{"name":"node","version":"24"}]}}`}, "", "24", "package.json devEngines.runtime"},
		"engines":          {map[string]string{"package.json": pkg}, "", ">=18", "package.json engines.node"},
		"nearest wins":     {map[string]string{"package.json": pkg, ".nvmrc": "18", "web/package.json": `{"engines":{"node":"22"}}`}, "web", "22", "web/package.json engines.node"},
		"up the tree":      {map[string]string{"package.json": pkg, ".nvmrc": "18", "web/app/package.json": `{}`}, "web/app", "18", ".nvmrc"},
		"no wish":          {map[string]string{"package.json": `{}`}, "", "", ""},
		"broken json":      {map[string]string{"package.json": `{"engines":`}, "", "", ""},
		"engines of a kid": {map[string]string{"package.json": `{"engines":["node >= 4"]}`}, "", "", ""},
	} {
		got := Resolve(files(c.files), c.dir).Node
		if got == nil || got.Spec != c.spec || got.Source != c.source {
			t.Errorf("%s: got %+v, want %q from %q", name, got, c.spec, c.source)
		}
	}
	if got := Resolve(files(map[string]string{".nvmrc": "18", "go.mod": "module x"}), ""); got.Node != nil {
		t.Errorf("node without package.json: %+v", got.Node)
	}
}

func TestResolveManager(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  Manager
	}{
		"pinned with hash": {map[string]string{"package.json": `{"packageManager":"pnpm@9.1.0+sha512.abc"}`, "yarn.lock": ""},
			Manager{"pnpm", Want{"9.1.0", "package.json packageManager"}, "sha512.abc"}},
		"devEngines": {map[string]string{"package.json": `{"devEngines":{"packageManager":{"name":"yarn","version":"^4"}}}`},
			Manager{"yarn", Want{"^4", "package.json devEngines.packageManager"}, ""}},
		"pnpm 9 lock":   {map[string]string{"package.json": `{}`, "pnpm-lock.yaml": "lockfileVersion: '9.0'\n"}, Manager{"pnpm", Want{"10", "pnpm-lock.yaml"}, ""}},
		"pnpm 6 lock":   {map[string]string{"package.json": `{}`, "pnpm-lock.yaml": "lockfileVersion: '6.0'\n"}, Manager{"pnpm", Want{"8", "pnpm-lock.yaml"}, ""}},
		"yarn 1":        {map[string]string{"package.json": `{}`, "yarn.lock": "# yarn lockfile v1\n"}, Manager{"yarn", Want{"1", "yarn.lock"}, ""}},
		"yarn berry":    {map[string]string{"package.json": `{}`, "yarn.lock": "__metadata:\n  version: 8\n"}, Manager{"yarn", Want{"4", "yarn.lock"}, ""}},
		"bun":           {map[string]string{"package.json": `{}`, "bun.lock": "{}"}, Manager{"bun", Want{"", "bun.lock"}, ""}},
		"npm":           {map[string]string{"package.json": `{}`, "package-lock.json": "{}"}, Manager{"npm", Want{"", "package-lock.json"}, ""}},
		"nothing":       {map[string]string{"package.json": `{}`}, Manager{"npm", Want{"", "package.json without a lockfile"}, ""}},
		"evil manager":  {map[string]string{"package.json": `{"packageManager":"../../evil@1"}`}, Manager{"npm", Want{"", "package.json without a lockfile"}, ""}},
		"unknown named": {map[string]string{"package.json": `{"packageManager":"deno@2"}`, "package-lock.json": "{}"}, Manager{"npm", Want{"", "package-lock.json"}, ""}},
	} {
		got := Resolve(files(c.files), "").Manager
		if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestResolveGoAndPython(t *testing.T) {
	for name, c := range map[string]struct {
		files        map[string]string
		spec, source string
	}{
		"go line":          {map[string]string{"go.mod": "module x\n\ngo 1.22\n"}, "1.22", "go.mod go"},
		"toolchain line":   {map[string]string{"go.mod": "module x\ngo 1.22 // min\ntoolchain go1.23.4\n"}, "1.23.4", "go.mod toolchain"},
		"toolchain none":   {map[string]string{"go.mod": "module x\ngo 1.22\ntoolchain default\n"}, "1.22", "go.mod go"},
		"go.work wins":     {map[string]string{"go.mod": "module x\ngo 1.21\n", "go.work": "go 1.24.1\nuse .\n"}, "1.24.1", "go.work go"},
		"go-version":       {map[string]string{"go.mod": "module x\n", ".go-version": "1.21.5\n"}, "1.21.5", ".go-version"},
		"python-version":   {map[string]string{"pyproject.toml": "[project]\nrequires-python='>=3.9'\n", ".python-version": "3.12\n"}, "3.12", ".python-version"},
		"requires-python":  {map[string]string{"pyproject.toml": "[project]\nrequires-python='>=3.9,<4'\n"}, ">=3.9,<4", "pyproject.toml project.requires-python"},
		"poetry":           {map[string]string{"pyproject.toml": "[tool.poetry.dependencies]\npython='^3.9'\n"}, "^3.9", "pyproject.toml tool.poetry.dependencies.python"},
		"pipfile":          {map[string]string{"Pipfile": "[requires]\npython_version='3.11'\n"}, "3.11", "Pipfile requires.python_version"},
		"runtime.txt":      {map[string]string{"requirements.txt": "", "runtime.txt": "python-3.10.4\n"}, "3.10.4", "runtime.txt"},
		"setup.cfg":        {map[string]string{"setup.cfg": "[options]\npython_requires = >=3.8 # x\n"}, ">=3.8", "setup.cfg python_requires"},
		"setup.py":         {map[string]string{"setup.py": "setup(python_requires='>=3.7')"}, ">=3.7", "setup.py python_requires"},
		"broken pyproject": {map[string]string{"pyproject.toml": "[project\n"}, "", ""},
	} {
		w := Resolve(files(c.files), "")
		got := w.Go
		if got == nil {
			got = w.Python
		}
		if got == nil || got.Spec != c.spec || got.Source != c.source {
			t.Errorf("%s: got %+v, want %q from %q", name, got, c.spec, c.source)
		}
	}
}

func TestPythonLine(t *testing.T) {
	for spec, want := range map[string]string{
		"3.11.9": "3.11", "python-3.11.9": "3.11", "==3.11.9": "3.11", "cpython@3.12.1": "3.12", "3.11": "3.11", ">=3.11.9": ">=3.11.9", "~=3.11.9": "~=3.11.9", "pypy3.9": "pypy3.9", "": "",
	} {
		if got := PythonLine(spec); got != want {
			t.Errorf("%q: %q, want %q", spec, got, want)
		}
	}
}

func TestPick(t *testing.T) {
	node := []string{"18.20.4", "20.1.0", "20.11.1", "22.0.0", "24.3.0", "25.1.0", "26.0.0-rc.1"}
	golang := []string{"1.20.14", "1.21.0", "1.21.13", "1.22.1", "1.22.12", "1.23rc1", "1.23.0", "1.23.4"}
	python := []string{"3.8.20", "3.9.1", "3.10.4", "3.11.7", "3.12.1", "3.13.0"}
	for _, c := range []struct {
		pick     func(string, []string) (string, error)
		versions []string
		spec     string
		want     string // empty: no version fits or not readable
	}{
		{PickNode, node, "", "24.3.0"}, {PickNode, node, "lts/*", "24.3.0"}, {PickNode, node, "lts/Iron", "20.11.1"},
		{PickNode, node, "node", "25.1.0"}, {PickNode, node, "latest", "25.1.0"}, {PickNode, node, "20", "20.11.1"},
		{PickNode, node, "v20.1.0", "20.1.0"}, {PickNode, node, "v20.1", "20.1.0"}, {PickNode, node, "20.x", "20.11.1"},
		{PickNode, node, "^18 || ^20", "20.11.1"}, {PickNode, node, ">=18 <22", "20.11.1"}, {PickNode, node, ">= 18.0.0", "25.1.0"},
		{PickNode, node, "18 - 20", "20.11.1"}, {PickNode, node, "16", ""}, {PickNode, node, "lts/nothing", ""}, {PickNode, node, "; rm -rf /", ""},
		{PickGo, golang, "1.22", "1.22.12"}, {PickGo, golang, "1.22.1", "1.22.1"}, {PickGo, golang, "1.21", "1.21.13"},
		{PickGo, golang, "1.21.0", "1.21.0"}, {PickGo, golang, "1.23", "1.23.4"}, {PickGo, golang, "1.23rc1", "1.23rc1"},
		{PickGo, golang, "1.99", ""}, {PickGo, golang, "", ""},
		{PickPython, python, "3.11", "3.11.7"}, {PickPython, python, "3.11.7", "3.11.7"}, {PickPython, python, "3.1", ""},
		{PickPython, python, ">=3.9,<3.12", "3.11.7"}, {PickPython, python, ">=3.9, !=3.13.*", "3.12.1"}, {PickPython, python, "~=3.10.2", "3.10.4"},
		{PickPython, python, "~=3.10", "3.13.0"}, {PickPython, python, "==3.9.*", "3.9.1"}, {PickPython, python, "^3.9", "3.13.0"},
		{PickPython, python, "~3.9", "3.9.1"}, {PickPython, python, "<=3.12", "3.12.1"}, {PickPython, python, ">3.12", "3.13.0"},
		{PickPython, python, "", "3.13.0"}, {PickPython, python, "3.8 || 3.10", "3.10.4"}, {PickPython, python, ">=4", ""},
		{PickPython, python, "pypy3.9", ""}, {PickPython, python, "$(id)", ""},
	} {
		got, err := c.pick(c.spec, c.versions)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: got %q, %v, want %q", c.spec, got, err, c.want)
		}
	}
	if _, err := PickNode("16", node); !errors.Is(err, ErrNoVersion) {
		t.Errorf("err = %v, want ErrNoVersion", err)
	}
}

func TestInstall(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		dir   string
		want  []Install
	}{
		"npm":    {map[string]string{"package.json": "{}", "package-lock.json": "{}"}, "", []Install{{Manager: "npm", Dir: ".", Commands: [][]string{{"npm", "ci", "--no-audit", "--no-fund"}}, Source: "package-lock.json"}}},
		"pnpm":   {map[string]string{"package.json": "{}", "pnpm-lock.yaml": "", "a/package.json": "{}"}, "a", []Install{{Manager: "pnpm", Dir: ".", Commands: [][]string{{"pnpm", "install", "--frozen-lockfile"}}, Source: "pnpm-lock.yaml"}}},
		"yarn 1": {map[string]string{"package.json": "{}", "yarn.lock": "# v1"}, "", []Install{{Manager: "yarn", Dir: ".", Commands: [][]string{{"yarn", "install", "--frozen-lockfile", "--non-interactive"}}, Source: "yarn.lock"}}},
		"berry":  {map[string]string{"package.json": "{}", "yarn.lock": "__metadata:"}, "", []Install{{Manager: "yarn", Dir: ".", Commands: [][]string{{"yarn", "install", "--immutable"}}, Source: "yarn.lock"}}},
		"bun":    {map[string]string{"package.json": "{}", "bun.lock": "{}"}, "", []Install{{Manager: "bun", Dir: ".", Commands: [][]string{{"bun", "install", "--frozen-lockfile"}}, Source: "bun.lock"}}},
		"other lock": {map[string]string{"package.json": `{"packageManager":"pnpm@9.0.0"}`, "yarn.lock": "# v1"}, "",
			[]Install{{Manager: "pnpm", Dir: ".", Commands: [][]string{{"pnpm", "install", "--no-frozen-lockfile"}}, Source: "package.json", Loose: true, Ignored: []string{"yarn.lock"}}}},
		"no lock": {map[string]string{"package.json": "{}"}, "", []Install{{Manager: "npm", Dir: ".", Commands: [][]string{{"npm", "install", "--no-audit", "--no-fund"}}, Source: "package.json", Loose: true}}},
		"uv with a choice of groups": {map[string]string{"pyproject.toml": "[project]\nname = 'My_Lib'\n[dependency-groups]\ntest = ['pytest']\nd5 = ['django<6']\nd6 = ['django>=6']\n[tool.uv]\nconflicts = [[{group = 'd5'}, {group = 'd6'}], [{extra = 'cpu'}, {extra = 'gpu', package = 'my-lib'}, {extra = 'cuda', package = 'other'}]]\n",
			"tox.ini": "[testenv]\ndependency_groups =\n  test\n  d5: d5\n  d6: d6\n", "uv.lock": ""}, "",
			[]Install{{Manager: "uv", Dir: ".", Commands: [][]string{{"uv", "sync", "--locked", "--all-extras", "--no-extra", "gpu", "--no-default-groups", "--group", "test", "--group", "d5"}}, Source: "uv.lock"}}},
		"uv with a choice and no tests named": {map[string]string{"pyproject.toml": "[dependency-groups]\na = ['x<2']\nb = ['x>2']\n[tool.uv]\nconflicts = [[{group = 'a'}, {group = 'b'}]]\n", "uv.lock": ""}, "",
			[]Install{{Manager: "uv", Dir: ".", Commands: [][]string{{"uv", "sync", "--locked", "--all-extras", "--all-groups", "--no-group", "b"}}, Source: "uv.lock"}}},
		"uv":     {map[string]string{"pyproject.toml": "", "uv.lock": ""}, "", []Install{{Manager: "uv", Dir: ".", Commands: [][]string{{"uv", "sync", "--locked", "--all-extras", "--all-groups"}}, Source: "uv.lock"}}},
		"poetry": {map[string]string{"pyproject.toml": "", "poetry.lock": ""}, "", []Install{{Manager: "poetry", Dir: ".", Commands: [][]string{{"poetry", "sync", "--all-extras", "--no-interaction"}}, Source: "poetry.lock"}}},
		"pdm":    {map[string]string{"pyproject.toml": "", "pdm.lock": ""}, "", []Install{{Manager: "pdm", Dir: ".", Commands: [][]string{{"pdm", "sync", "--group", ":all"}}, Source: "pdm.lock"}}},
		"pipenv": {map[string]string{"Pipfile": "", "Pipfile.lock": "{}"}, "", []Install{{Manager: "pipenv", Dir: ".", Commands: [][]string{{"pipenv", "sync", "--dev"}}, Source: "Pipfile.lock"}}},
		"pip": {map[string]string{"requirements.txt": "", "requirements-dev.txt": "", "pyproject.toml": "[project]\nname='x'\n[project.optional-dependencies]\ndev=[]\ndocs=[]\n[dependency-groups]\ntest=[]\n"}, "",
			[]Install{{Manager: "pip", Dir: ".", Commands: [][]string{{"uv", "pip", "install", "-e", ".", "-r", "requirements.txt", "-r", "requirements-dev.txt", "--group", "test"}}, Source: "pyproject.toml", Loose: true}}},
		"setup.py":         {map[string]string{"setup.py": ""}, "", []Install{{Manager: "pip", Dir: ".", Commands: [][]string{{"uv", "pip", "install", "-e", "."}}, Source: "setup.py", Loose: true}}},
		"tool config only": {map[string]string{"pyproject.toml": "[tool.black]\n"}, "", nil},
	} {
		fsys := files(c.files)
		w := Resolve(fsys, c.dir)
		var got []Install
		for _, in := range []*Install{w.InstallNode(At(fsys, c.dir)), w.InstallPython(At(fsys, c.dir))} {
			if in != nil {
				in.Tests = nil // TestPythonTests looks at them
				got = append(got, *in)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Files of a pull request must not be able to crash the resolver.
func FuzzResolve(f *testing.F) {
	f.Add("package.json", `{"packageManager":"a@1","engines":{"node":"1"}}`)
	f.Add("pyproject.toml", "[project]\nrequires-python='>3'\n")
	f.Add("go.mod", "go 1.2\ntoolchain go\n")
	f.Fuzz(func(t *testing.T, name, data string) {
		fsys := fstest.MapFS{"package.json": {Data: []byte("{}")}, "go.mod": {}, "setup.py": {}, ".nvmrc": {Data: []byte(data)}}
		if name != "" && name[0] != '/' {
			fsys[name] = &fstest.MapFile{Data: []byte(data)}
		}
		w := Resolve(fsys, "")
		_, _ = PickNode(w.Node.Spec, []string{"20.0.0"})
		_, _ = PickGo(w.Go.Spec, []string{"1.22.1"})
		_, _ = PickPython(w.Python.Spec, []string{"3.12.1"})
		_ = w.InstallNode(At(fsys, ""))
		_ = w.InstallPython(At(fsys, ""))
	})
}

func TestUpwards(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string][]string{"a/b": {"a/b", "a", "."}, "": {"."}, ".": {"."}, "./a/": {"a", "."}} {
		if diff := cmp.Diff(want, Upwards(dir)); diff != "" {
			t.Errorf("%q: %s", dir, diff)
		}
	}
}
