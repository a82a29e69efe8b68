package toolchain

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// What tests need stands where the tool of a project looks. Each case is a shape that
// public repositories have.
func TestPythonTests(t *testing.T) {
	const build = "[build-system]\nrequires = ['flit_core']\n[project]\nname = 'My.Lib'\ndependencies = ['click>=8', 'tomli; python_version < \"3.11\"']\n"
	pyproject := func(more string) map[string]string { return map[string]string{"pyproject.toml": build + more} }
	with := func(files map[string]string, name, data string) map[string]string { files[name] = data; return files }
	for name, c := range map[string]struct {
		files map[string]string
		want  PythonTests
	}{
		"extra": {pyproject("[project.optional-dependencies]\ntests = ['pytest', 'hypothesis']\ndocs = ['sphinx']\n"),
			PythonTests{Extras: []string{"tests"}, Names: []string{"click", "hypothesis", "pytest"}}},
		"an extra of another name": {pyproject("[project.optional-dependencies]\nall = ['ruff', 'pytest']\ndocs = ['sphinx']\n"),
			PythonTests{Extras: []string{"all"}, Names: []string{"click", "pytest", "ruff"}}},
		"group": {pyproject("[dependency-groups]\ndev = ['ruff', {include-group = 'testing'}]\ntesting = ['pytest', {include-group = 'more'}]\nmore = ['pretend']\n"),
			PythonTests{Groups: []string{"testing"}, Names: []string{"click", "pretend", "pytest"}}},
		"groups that include each other": {pyproject("[dependency-groups]\ntest = [{include-group = 'test'}, 'pytest']\n"),
			PythonTests{Groups: []string{"test"}, Names: []string{"click", "pytest"}}},
		"dev alone": {pyproject("[dependency-groups]\ndev = ['ruff', 'pytest']\n"),
			PythonTests{Groups: []string{"dev"}, Names: []string{"click", "pytest", "ruff"}}},
		"hatch": {pyproject("[tool.hatch.envs.hatch-test]\nextra-dependencies = ['pytest-mock']\ndependencies = ['pytest']\nfeatures = ['cli']\n"),
			PythonTests{Extras: []string{"cli"}, Plain: []string{"pytest", "pytest-mock"}, Sources: []string{"pyproject.toml", "pyproject.toml tool.hatch"}, Names: []string{"click", "pytest", "pytest-mock"}}},
		"hatch for developers": {pyproject("[tool.hatch.envs.dev]\ndependencies = ['pytest', 'attrs']\n[tool.hatch.envs.dev-old]\ndependencies = ['pytest']\n[tool.hatch.envs.dev.scripts]\ntypes = 'mypy'\ntests = 'pytest'\n"),
			PythonTests{Plain: []string{"pytest", "attrs"}, Sources: []string{"pyproject.toml", "pyproject.toml tool.hatch"}, Names: []string{"attrs", "click", "pytest"}}},
		"hatch for developers and without their tests": {pyproject("[tool.hatch.envs.dev]\ndependencies = ['ruff']\nscripts = {lint = 'ruff check'}\n"),
			PythonTests{Names: []string{"click"}}},
		"hatch in a file of its own": {with(pyproject(""), "hatch.toml", "[envs.base]\ndependencies = ['pytest']\ntemplate = 'test'\n[envs.test]\ntemplate = 'base'\nextra-dependencies = ['attrs']\n"),
			PythonTests{Plain: []string{"attrs", "pytest"}, Sources: []string{"pyproject.toml", "hatch.toml"}, Names: []string{"attrs", "click", "pytest"}}},
		"pdm": {pyproject("[tool.pdm.dev-dependencies]\ntest = ['pytest>=7']\n"),
			PythonTests{Plain: []string{"pytest>=7"}, Sources: []string{"pyproject.toml", "pyproject.toml tool.pdm"}, Names: []string{"click", "pytest"}}},
		"poetry": {map[string]string{"pyproject.toml": "[tool.poetry]\nname = 'x'\n[tool.poetry.dependencies]\npython = '^3.9'\nattrs = '*'\n[tool.poetry.group.dev.dependencies]\npytest = '^8.1'\nmock = {version = '~4.0', extras = ['a']}\nlocal = {path = '../l'}\nzero = '^0.9'\n"},
			PythonTests{Project: "x", Builds: true, Plain: []string{"mock[a]>=4.0,<4.1", "pytest>=8.1,<9", "zero>=0.9,<0.10"},
				Sources: []string{"pyproject.toml", "pyproject.toml tool.poetry.group.dev"}, Names: []string{"attrs", "mock", "pytest", "zero"}}},
		"tox": {with(pyproject(""), "tox.ini", "[tox]\nenvlist = py311\n[testenv]\ndeps =\n  pytest\n  py39: typing_extensions\n  -r{toxinidir}/requirements/x.txt\nextras = cli\n"),
			PythonTests{Extras: []string{"cli"}, Plain: []string{"pytest"}, Sources: []string{"pyproject.toml", "tox.ini"}, Names: []string{"click", "pytest"}}},
		"tox with conditions that every Python meets": {map[string]string{"pyproject.toml": build, "tox.ini": "[testenv]\ndeps =\n  pytest\n  hypothesis ; python_version >= \"3.6\"\n  tomli; python_version < \"3.11\"\n  late; python_version >= '3.14'\n"},
			PythonTests{Plain: []string{"pytest", "hypothesis ; python_version >= \"3.6\"", "tomli; python_version < \"3.11\"", "late; python_version >= '3.14'"}, Sources: []string{"pyproject.toml", "tox.ini"}, Names: []string{"click", "hypothesis", "pytest"}}},
		"tox with a feature": {with(pyproject("[project.optional-dependencies]\ncrypto = ['cryptography']\n"), "tox.ini", "[tox]\nenvlist = py3{9,10}-{crypto,nocrypto},lint\n[testenv]\ndeps =\n  pytest\n  redis: fakeredis>=2\n  django4: Django<5\n  django5: Django<6\n  old: attrs<20\n  new: attrs>=20\n  lint: flake8\n  !nocrypto: argon2\n  win: colorama\n  speed: {env:X}\n  xdist: pytest<8\n  mypy: mypy\n  nose2: nose2\nextras =\n  crypto: crypto\n"),
			PythonTests{Extras: []string{"crypto"}, Plain: []string{"pytest", "fakeredis>=2", "nose2"}, Sources: []string{"pyproject.toml", "tox.ini"}, Names: []string{"click", "fakeredis", "nose2", "pytest"}}},
		"tox with a group": {with(pyproject("[dependency-groups]\ncov = ['coverage']\nqa = ['pytest']\n"), "tox.ini", "[testenv]\ndependency_groups =\n  qa\n"),
			PythonTests{Groups: []string{"qa"}, Names: []string{"click", "pytest"}}},
		"tox in TOML": {with(pyproject(""), "tox.toml", "[env_run_base]\ndeps = ['pytest>=8', 'pytest-xdist']\n"),
			PythonTests{Plain: []string{"pytest>=8", "pytest-xdist"}, Sources: []string{"pyproject.toml", "tox.toml"}, Names: []string{"click", "pytest", "pytest-xdist"}}},
		"nox": {with(pyproject(""), "noxfile.py", "import nox\n@nox.session\ndef lint(session):\n    session.install('ruff')\n\n@nox.session\ndef tests(session):\n    session.install('-e', '.[cli]', 'pytest')\n    session.run('pytest')\n"),
			PythonTests{Extras: []string{"cli"}, Plain: []string{"pytest"}, Sources: []string{"pyproject.toml", "noxfile.py"}, Names: []string{"click", "pytest"}}},
		"requirement files": {map[string]string{"requirements.txt": "flask==3.0  # web\n", "requirements/test.txt": "-r ../requirements.txt\npytest\n", "requirements/docs.txt": "sphinx\n", "requirements/development.txt": "mypy\n", "constraints-dev.txt": "a==1\n"},
			PythonTests{Files: []string{"requirements.txt", "requirements/test.txt"}, Sources: []string{"requirements.txt", "requirements/test.txt"}, Names: []string{"flask", "pytest"}}},
		"setup.cfg": {map[string]string{"setup.cfg": "[metadata]\nname = a_b\n[options]\ninstall_requires =\n  six\n[options.extras_require]\ntest =\n  pytest\n  mock\ndocs = sphinx\n"},
			PythonTests{Project: "a-b", Builds: true, Extras: []string{"test"}, Sources: []string{"setup.cfg"}, Names: []string{"mock", "pytest", "six"}}},
		"setup.py": {map[string]string{"setup.py": "from setuptools import setup\nsetup(name='a', install_requires=['six'], extras_require={'dev': ['pytest', 'tox'], 'docs': ['sphinx']})\n"},
			PythonTests{Project: "a", Builds: true, Extras: []string{"dev"}, Sources: []string{"setup.py"}, Names: []string{"pytest", "six", "tox"}}},
		"Pipfile": {map[string]string{"Pipfile": "[packages]\nflask = '*'\n[dev-packages]\npytest = '==8.0'\n"},
			PythonTests{Plain: []string{"flask", "pytest==8.0"}, Sources: []string{"Pipfile"}, Names: []string{"flask", "pytest"}}},
		"only a workflow": {with(pyproject(""), ".github/workflows/ci.yml", "jobs:\n  docs:\n    steps:\n    - run: pip install sphinx\n  b:\n    steps:\n    - run: |\n        python -m pip install -U pip\n        python -m pip install 'pytest>=8' \"responses\"\n    - run: pytest -q\n"),
			PythonTests{Plain: []string{"pip", "pytest>=8", "responses"}, Sources: []string{"pyproject.toml", ".github/workflows/ci.yml:8", ".github/workflows/ci.yml:9"}, Names: []string{"click", "pip", "pytest", "responses"}}},
		"only test files": {with(pyproject(""), "tests/test_a.py", "def test_a():\n    assert 1\n"),
			PythonTests{Plain: []string{"pytest"}, Sources: []string{"pyproject.toml", "test files that import or look like pytest"}, Names: []string{"click", "pytest"}}},
		"unittest alone": {with(pyproject(""), "tests/test_a.py", "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n"),
			PythonTests{Names: []string{"click"}}},
		"no YAML": {with(pyproject(""), ".github/workflows/ci.yml", "{{{"), PythonTests{Names: []string{"click"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.files["pyproject.toml"] != "" && c.want.Project == "" {
				c.want.Project, c.want.Builds = "my-lib", true
				if c.want.Sources == nil {
					c.want.Sources = []string{"pyproject.toml"}
				}
			}
			if diff := cmp.Diff(c.want, testsOf(files(c.files), ".")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzPythonTests: what a change writes into these files neither crashes the reader
// nor becomes an option of the installer.
func FuzzPythonTests(f *testing.F) {
	f.Add("tox.ini", "[testenv]\ndeps =\n  --index-url=x\n  a @ file:///etc\n")
	f.Add("pyproject.toml", "[dependency-groups]\ntest=['-e .', '--pre']\n[tool.poetry.group.dev.dependencies]\nx='^9'")
	f.Add(".github/workflows/a.yml", "jobs: {a: {steps: [{run: pip install pytest}]}}")
	f.Add("noxfile.py", "def tests(s):\n    s.install('-r', '../../etc/passwd', '--x')\n")
	f.Fuzz(func(t *testing.T, name, data string) {
		fsys := fstest.MapFS{"setup.py": {}, "tests/test_a.py": {}}
		if fs.ValidPath(name) {
			fsys[name] = &fstest.MapFile{Data: []byte(data)}
		}
		got := testsOf(fsys, ".")
		for _, line := range slices.Concat(got.Plain, got.Extras, got.Groups, got.Files) {
			if line == "" || line[0] == '-' || line[0] == '.' || line[0] == '/' {
				t.Errorf("%q would be given to the installer", line)
			}
		}
	})
}

// Requirements of several files may contradict each other: the part with the runner is
// tried before the other.
func TestPartsOfRequirements(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tests PythonTests
		want  []string
	}{
		"a runner in both":   {PythonTests{Builds: true, Extras: []string{"test"}, Plain: []string{"six<1.15", "pytest"}}, []string{"-e . six<1.15 pytest", "-e .[test]"}},
		"no runner":          {PythonTests{Builds: true, Groups: []string{"test"}, Plain: []string{"six"}}, []string{"-e . --group test", "-e . six"}},
		"of one kind alone":  {PythonTests{Builds: true, Extras: []string{"test"}}, nil},
		"no project, a file": {PythonTests{Files: []string{"requirements.txt"}, Plain: []string{"pytest"}}, []string{"pytest", "-r requirements.txt"}},
	} {
		var got []string
		for _, part := range c.tests.parts() {
			got = append(got, strings.Join(part[3:], " "))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// All tests of Python share one environment: that of the run's directory, else the one of
// the first package below that asks for any.
func TestPythonDir(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"web/package.json": {}, "api/requirements.txt": {Data: []byte("flask\n")}, "jobs/requirements.txt": {Data: []byte("rq\n")}}
	beside := []string{"web", "api", "jobs"}
	if got := PythonDir(tree, ".", beside); got != "api" {
		t.Errorf("got %s, want api", got)
	}
	if got := PythonDir(tree, "jobs", beside); got != "jobs" {
		t.Errorf("got %s, want jobs", got)
	}
	if got := PythonDir(tree, ".", beside[:1]); got != "." {
		t.Errorf("got %s, want the directory of the run", got)
	}
}
