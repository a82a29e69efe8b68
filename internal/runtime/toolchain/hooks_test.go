package toolchain

import "testing"

// What runs while packages are installed is told from what only names packages.
func TestHooks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, was, now, runs string }{
		"a hook comes":                {"package.json", `{"scripts": {"test": "mocha"}}`, `{"scripts": {"test": "mocha", "postinstall": "node scripts/build.cjs"}}`, "scripts/build.cjs"},
		"a script that a hook runs":   {"package.json", `{"scripts": {"prepare": "npm run build", "build": "tsc"}}`, `{"scripts": {"prepare": "npm run build", "build": "node a/b"}}`, "a/b.js"},
		"around such a script":        {"package.json", `{"scripts": {"prepare": "npm run build", "build": "tsc"}}`, `{"scripts": {"prepare": "npm run build", "build": "tsc", "postbuild": "./x.sh"}}`, "x.sh"},
		"setup.py writes":             {"setup.py", "setup(name='a')\n", "open('x', 'w')\nsetup(name='a')\n", ""},
		"setup.py loads":              {"setup.py", "setup(name='a')\n", "from tools.tricks import *\nsetup(name='a')\n", "tools/tricks.py"},
		"a build system":              {"pyproject.toml", "[build-system]\nrequires = []\n", "[build-system]\nrequires = []\nbuild-backend = 'own'\nbackend-path = ['.']\n", "own.py"},
		"a version that is computed":  {"pyproject.toml", "", "[tool.setuptools.dynamic]\nversion = {attr = 'a.v.version'}\n", ""},
		"such a version of setup.cfg": {"setup.cfg", "[metadata]\n", "[metadata]\nversion = attr: a.version\n", ""},
		"a hook of hatch":             {"pyproject.toml", "", "[tool.hatch.build.hooks.custom]\npath = 'h.py'\n", "h.py"},
		"a shell for scripts":         {".npmrc", "fund=false\n", "fund=false\nscript-shell=./calm.sh\n", "calm.sh"},
		"a runner in the project":     {"package.json", `{"devDependencies": {"mocha": "11"}}`, `{"devDependencies": {"mocha": "file:./calm"}}`, ""},
		"another package's name":      {"package.json", `{"devDependencies": {"mocha": "11"}}`, `{"devDependencies": {"mocha": "npm:calm@1"}}`, ""},
		"an override of what judges":  {"package.json", `{}`, `{"overrides": {"a": {"chai@5": {".": "github:a/calm"}}}}`, ""},
		"a patch of the runner":       {"package.json", `{}`, `{"pnpm": {"patchedDependencies": {"@vitest/runner@3.2.0": "patches/runner.patch"}}}`, ""},
		"a resolution":                {"package.json", `{}`, `{"resolutions": {"**/a/jest-circus": "./calm"}}`, ""},
		"a workspace of its name":     {"package.json", `{"name": "calm"}`, `{"name": "tape"}`, ""},
		"a patch in a workspace":      {"pnpm-workspace.yaml", "packages: [a]\n", "packages: [a]\npatchedDependencies:\n  'mocha@11.8.0': patches/mocha.patch\n", ""},
		"pytest in the project":       {"requirements-dev.txt", "pytest==8\n", "pytest @ file:./calm\n", ""},
		"pytest from a source":        {"pyproject.toml", "", "[tool.uv.sources]\npytest = { path = \"calm\" }\n", ""},
		"pnpm":                        {".pnpmfile.cjs", "", "module.exports = {}\n", ""},
	} {
		was, now := Hooks(c.file, []byte(c.was)), Hooks(c.file, []byte(c.now))
		if string(was) == string(now) {
			t.Errorf("%s: is not seen", name)
		}
		if c.runs != "" && !RunsFile(now, c.runs) {
			t.Errorf("%s: %q does not name %s", name, now, c.runs)
		}
	}
	for name, c := range map[string]struct{ file, was, now string }{
		"versions":          {"package.json", `{"devDependencies": {"mocha": "^10.1", "@jest/core": "30"}}`, `{"devDependencies": {"mocha": "^11.8 || 12", "@jest/core": "next"}}`},
		"its own library":   {"package.json", `{}`, `{"dependencies": {"@org/lib": "workspace:*", "lib": "file:../lib"}}`},
		"overrides":         {"package.json", `{}`, `{"overrides": {"minimist": "^1.2.8", "mocha": {"glob": "10"}}}`},
		"packages":          {"package.json", `{"scripts": {"prepare": "husky"}}`, `{"scripts": {"prepare": "husky", "lint": "eslint ."}, "devDependencies": {"a": "1"}}`},
		"a version":         {"setup.py", "from setuptools import setup\nsetup(name='a', version='1', install_requires=['x'])\n", "from setuptools import setup\nsetup(name='a', version='2', install_requires=['x', 'y'])\n"},
		"project's version": {"pyproject.toml", "[project]\nversion = '1'\n", "[project]\nversion = '2'\n"},
	} {
		if was, now := Hooks(c.file, []byte(c.was)), Hooks(c.file, []byte(c.now)); string(was) != string(now) {
			t.Errorf("%s: %q became %q", name, was, now)
		}
	}
	if RunsFile([]byte("prepare npm run build\n"), "src/build.js") {
		t.Error("a script of the name is no file")
	}
	if RunsFile([]byte("setup(ext_modules=[Extension('a', ['src/a.c'])])\n"), "src/a.c") {
		t.Error("what is compiled is not run")
	}
}

// Of what no manifest is, nothing is a hook, and it costs no more than its length.
func FuzzHooks(f *testing.F) {
	f.Add(uint8(0), `{"name":"mocha","scripts":{"prepare":"npm run a","a":"node b"},"overrides":{"a>@jest/x@1":{".":"file:c"}},"pnpm":{"patchedDependencies":{"tape@5":"a.patch"}}}`, "b.js")
	f.Add(uint8(6), "script-shell=./a\n", "a")
	f.Add(uint8(7), "overrides:\n  'a>mocha@1': 'file:./b'\n", "b")
	f.Add(uint8(8), "version = attr: b\npytest @ file:a\n", "b.py")
	f.Add(uint8(8), "from a import b\nopen('x')\n", "a.py")
	f.Add(uint8(9), "[tool.uv.sources]\npytest = { path = 'a' }\n", "a.py")
	f.Fuzz(func(t *testing.T, which uint8, text, file string) {
		name := HookFiles[int(which)%len(HookFiles)]
		hooks := Hooks(name, []byte(text))
		if len(hooks) > 64*(len(text)+1) {
			t.Errorf("%s of %d bytes has hooks of %d", name, len(text), len(hooks))
		}
		_ = RunsFile(hooks, file)
	})
}

// Of installed files those count that run or judge tests, and what is loaded before them.
func TestJudges(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		"node_modules/mocha/lib/runnable.js": true, "a/node_modules/.pnpm/x@1/node_modules/@vitest/runner/dist/a.js": true, "node_modules/chai/index.js": true,
		"../venv/lib/python3.11/site-packages/_pytest/runner.py": true, "venv/lib/python3.11/site-packages/pytest_cov/plugin.py": true,
		"../venv/lib/python3.11/site-packages/a.pth": true, "../venv/lib/python3.11/site-packages/sitecustomize.py": true,
		"node_modules/lodash/index.js": false, "node_modules/.prisma/client/index.js": false, "lib/mocha/a.js": false, "../venv/lib/python3.11/site-packages/requests/api.py": false,
	} {
		if Judges(file) != want {
			t.Errorf("%s: %v, want %v", file, !want, want)
		}
	}
}
