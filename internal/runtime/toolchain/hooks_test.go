package toolchain

import "testing"

// What runs while packages are installed is told from what only names packages.
func TestHooks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, was, now, runs string }{
		"a hook comes":              {"package.json", `{"scripts": {"test": "mocha"}}`, `{"scripts": {"test": "mocha", "postinstall": "node scripts/build.cjs"}}`, "scripts/build.cjs"},
		"a script that a hook runs": {"package.json", `{"scripts": {"prepare": "npm run build", "build": "tsc"}}`, `{"scripts": {"prepare": "npm run build", "build": "node a/b"}}`, "a/b.js"},
		"around such a script":      {"package.json", `{"scripts": {"prepare": "npm run build", "build": "tsc"}}`, `{"scripts": {"prepare": "npm run build", "build": "tsc", "postbuild": "./x.sh"}}`, "x.sh"},
		"setup.py writes":           {"setup.py", "setup(name='a')\n", "open('x', 'w')\nsetup(name='a')\n", ""},
		"setup.py loads":            {"setup.py", "setup(name='a')\n", "from tools.tricks import *\nsetup(name='a')\n", "tools/tricks.py"},
		"a build system":            {"pyproject.toml", "[build-system]\nrequires = []\n", "[build-system]\nrequires = []\nbuild-backend = 'own'\nbackend-path = ['.']\n", "own.py"},
		"a hook of hatch":           {"pyproject.toml", "", "[tool.hatch.build.hooks.custom]\npath = 'h.py'\n", "h.py"},
		"pnpm":                      {".pnpmfile.cjs", "", "module.exports = {}\n", ""},
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
