package loads

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// What a file may load is never less than what it loads: each case is a way of writing it.
func TestOf(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"package.json":               `{"name":"own","dependencies":{"dep":"1","linked":"file:./x"},"devDependencies":{"@scope/dev":"1"}}`,
		"packages/a/package.json":    `{"name":"@own/a","dependencies":{"inner":"1"}}`,
		"packages/a/src/index.ts":    "",
		"src/a.ts":                   "",
		"src/b/index.js":             "",
		"src/c.jsx":                  "",
		"src/data.json":              "",
		"lib/pkg/__init__.py":        "",
		"lib/pkg/one.py":             "",
		"lib/pkg/sub/__init__.py":    "",
		"lib/pkg/sub/two.py":         "",
		"lib/pkg/space/three.py":     "",
		"tests/conftest.py":          "",
		"tests/unit/__init__.py":     "",
		"tests/unit/samples/four.py": "",
		"top.py":                     "",
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	tree := New(names, func(name string) []byte { return []byte(files[name]) })
	for name, c := range map[string]struct {
		file, src string
		test      bool
		want      string
		doubt     string
	}{
		"import forms":             {file: "src/x.ts", src: "import a from './a'\nimport './b'\nexport * from \"./c\"\nimport {\n d } from './data.json'", want: "src/a.ts src/b/index.js src/c.jsx src/data.json"},
		"require, later":           {file: "src/x.js", src: "function f() { return require('./a') } // don't\nconst g = () => import('./b/index.js')", want: "src/a.ts src/b/index.js"},
		"behind an apostrophe":     {file: "src/x.jsx", src: "<p>don't</p>; const a = require('./a')", want: "src/a.ts"},
		"of what it is made of":    {file: "src/x.ts", src: "import './a.js'", want: "src/a.ts"},
		"a pattern is no comment":  {file: "src/x.ts", src: "const g = 'src/**/*.js'\nimport './a'\nconst h = '*/'", want: "src/a.ts"},
		"a mock":                   {file: "test/x.test.ts", src: "vi.mock('../src/a', () => ({}))", test: true, want: "src/a.ts"},
		"a path from the root":     {file: "test/x.test.ts", src: "load('src/a.ts')", test: true, want: "src/a.ts"},
		"declared packages":        {file: "src/x.ts", src: "import 'dep/sub'; import fs from 'fs'; import 'node:x'; import '@scope/dev'", want: ""},
		"not declared":             {file: "src/x.ts", src: "import x from '@/a'", doubt: "loads @/a, which is no package"},
		"its own name":             {file: "src/x.ts", src: "import x from 'own'", doubt: "loads own, which"},
		"another of its packages":  {file: "src/x.ts", src: "import x from '@own/a'", doubt: "loads @own/a, which"},
		"linked":                   {file: "src/x.ts", src: "import x from 'linked'", doubt: "loads linked, which"},
		"of an inner package":      {file: "packages/a/src/x.ts", src: "import x from 'inner'; import 'dep'; import './index'", want: "packages/a/src/index.ts"},
		"built":                    {file: "test/x.js", src: "import x from '../dist/x.js'", doubt: "loads ../dist/x.js, which is not in the repository"},
		"computed":                 {file: "src/x.js", src: "require(name)", doubt: "loads what it works out"},
		"a template":               {file: "src/x.js", src: "import(`./a/${b}.js`)", doubt: "loads what it works out"},
		"joined":                   {file: "src/x.js", src: "require('./a' + b)", want: "src/a.ts", doubt: "loads what it works out"},
		"a program, in a test":     {file: "test/x.js", src: "import cp from 'child_process'", test: true, doubt: "may look for files by itself"},
		"its folder, in a test":    {file: "test/x.js", src: "path.join(__dirname, 'fixtures')", test: true, doubt: "may look for files by itself"},
		"its folder, elsewhere":    {file: "src/x.js", src: "path.join(__dirname, 'fixtures')"},
		"one beside it, by a join": {file: "src/x.js", src: "readFileSync(path.join(__dirname, 'a.ts'))", want: "src/a.ts"},
		"by a join of more":        {file: "src/x.js", src: "readFileSync(path.join(__dirname, '..', 'src', 'a.ts'))", want: "src/a.ts"},
		"by a template":            {file: "src/x.js", src: "readFileSync(`${__dirname}/a.ts`)", want: "src/a.ts"},
		"a word is no module":      {file: "src/x.js", src: "f('a')"},
		"starts node":              {file: "src/x.js", src: "require('child_process').execFileSync('node', [at])", doubt: "starts programs that may be of the repository"},
		"in a world of its own":    {file: "test/x.js", src: "/** @jest-environment ./src/a */", test: true, want: "src/a.ts"},
		"starts git":               {file: "src/x.js", src: "require('child_process').execFileSync('git', [at])"},
		"Array.from":               {file: "src/x.js", src: "Array.from('abc'); Promise.resolve('x')"},

		"python's forms":           {file: "lib/pkg/x.py", src: "import pkg.one as o, top\nfrom pkg.sub import two\ntry: from .sub.two import f\nexcept ImportError: pass\n", want: "lib/pkg/__init__.py lib/pkg/one.py lib/pkg/sub/__init__.py lib/pkg/sub/two.py top.py"},
		"in parentheses":           {file: "tests/x.py", src: "from pkg import (\n  a,  # (see b)\n  one,\n)\n", want: "lib/pkg/__init__.py lib/pkg/one.py tests/conftest.py"},
		"continued":                {file: "tests/x.py", src: "from pkg \\\n  import one\n", want: "lib/pkg/__init__.py lib/pkg/one.py tests/conftest.py"},
		"in a function":            {file: "top2.py", src: "def f():\n    import pkg.space.three\n", want: "lib/pkg/__init__.py lib/pkg/space/three.py"},
		"from its own package":     {file: "lib/pkg/sub/y.py", src: "from . import two\nfrom .. import one\nfrom ..space import three\n", want: "lib/pkg/__init__.py lib/pkg/one.py lib/pkg/space/three.py lib/pkg/sub/__init__.py lib/pkg/sub/two.py"},
		"a patch by its name":      {file: "tests/x.py", src: "mock.patch('pkg.sub.two.f')", test: true, want: "lib/pkg/__init__.py lib/pkg/sub/__init__.py lib/pkg/sub/two.py tests/conftest.py"},
		"a plugin by its name":     {file: "tests/x.py", src: "pytest_plugins = ['top']", test: true, want: "tests/conftest.py top.py"},
		"the folder of the tests":  {file: "tests/unit/x.py", src: "from samples import four", want: "tests/conftest.py tests/unit/__init__.py tests/unit/samples/four.py"},
		"of the registry":          {file: "top.py", src: "import numpy"},
		"by import_module":         {file: "top.py", src: "importlib.import_module(x)", doubt: "loads what it works out"},
		"metadata":                 {file: "top.py", src: "from importlib.metadata import version"},
		"its own command, by name": {file: "tests/x.py", src: "subprocess.run(['pkg'])", test: true, want: "lib/pkg/__init__.py tests/conftest.py", doubt: "may look for files by itself"},
	} {
		l, ok := tree.Of(c.file, []byte(c.src), c.test)
		assert.Assert(t, ok, name)
		assert.Equal(t, strings.Join(l.Files, " "), c.want, name)
		assert.Assert(t, strings.HasPrefix(l.Doubt, c.doubt) && (l.Doubt == "") == (c.doubt == ""), "%s: %q", name, l.Doubt)
	}
	_, ok := tree.Of("a.rs", nil, false)
	assert.Assert(t, !ok && !Readable("a.rs"))
	for name, c := range map[string]struct{ file, src, want string }{
		"a plugin, as a list":    {"pyproject.toml", `addopts = ["-p", "top"]`, "top.py"},
		"a plugin, in one word":  {"pytest.ini", "addopts = -ptop", "top.py"},
		"none of ours":           {"pytest.ini", "addopts = -p no:cacheprovider", ""},
		"a path of two words":    {"vitest.config.ts", "setupFiles: [path.resolve(dir, 'src', 'a')]", "src/a.ts"},
		"what Django is told of": {"pytest.ini", "DJANGO_SETTINGS_MODULE=pkg.one", "lib/pkg/__init__.py lib/pkg/one.py"},
	} {
		assert.Equal(t, strings.Join(tree.Named(c.file, []byte(c.src)), " "), c.want, name)
	}
	assert.DeepEqual(t, tree.Quoted("conf/base.js", []byte("setup: ['./src/a', '<rootDir>/src/c']"), "."), []string{"src/a.ts", "src/c.jsx"})
	assert.DeepEqual(t, tree.Named("vitest.config.ts", []byte(`setupFiles: ['./src/a.ts', "<rootDir>/src/c"]`)), []string{"src/a.ts", "src/c.jsx"})
}

// No text makes it fail, and what it names is there.
func FuzzOf(f *testing.F) {
	f.Add("import x from './a'", "from . import (a, b)")
	f.Add("`${", "import a.b as c, d; from .. import *")
	tree := New([]string{"a.js", "pkg/__init__.py", "pkg/a.py"}, func(string) []byte { return nil })
	f.Fuzz(func(t *testing.T, script, python string) {
		for file, src := range map[string]string{"x/y.ts": script, "pkg/x.py": python} {
			l, ok := tree.Of(file, []byte(src), true)
			assert.Assert(t, ok)
			for _, named := range l.Files {
				assert.Assert(t, tree.files[named], named)
			}
		}
	})
}
