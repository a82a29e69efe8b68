package impact

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// scriptHides are ways in which a test file may depend on a function that it does not seem
// to enter. Of each there is a module m.js of a folder of its own, with the fault that is put
// into it, and the bodies of tests a and b. want are those that run then; "-" is that what was
// executed does not tell, and texts do.
var scriptHides = map[string]struct{ module, old, fault, a, b, want string }{
	"plain": {"exports.f = () => 1\nexports.g = function () { return 2 }\n", "return 2", "return 3",
		"expect(m.f()).toBe(1)", "expect(m.g()).toBe(2)", "b"},
	"a method": {"class C {\n  f() { return 1 }\n  g() { return 2 }\n}\nexports.c = () => new C()\n", "return 2", "return 3",
		"expect(m.c().f()).toBe(1)", "expect(m.c().g()).toBe(2)", "b"},
	"a getter": {"exports.o = { get f() { return 1 }, get g() { return 2 } }\n", "return 2", "return 3",
		"expect(m.o.f).toBe(1)", "expect(m.o.g).toBe(2)", "b"},
	"a setter": {"exports.o = { set f(v) { this.v = v } }\n", "this.v = v", "this.v = -v",
		"expect(m.o.v).toBe(undefined)", "m.o.f = 1; expect(m.o.v).toBe(1)", "b"},
	"a generator": {"exports.f = function * () { yield 1 }\n", "yield 1", "yield 2",
		"expect(m.f()).toBeDefined()", "expect([...m.f()]).toEqual([1])", "b"},
	"what waits": {"exports.f = async () => { await null; return 1 }\n", "return 1", "return 2",
		"expect(m).toBeDefined()", "return m.f().then(v => expect(v).toBe(1))", "b"},
	"a default": {"exports.f = (get = () => 1) => get()\n", "=> 1", "=> 2",
		"expect(m.f(() => 3)).toBe(3)", "expect(m.f()).toBe(1)", "b"},
	"a field": {"exports.C = class { f = () => 1 }\n", "=> 1", "=> 2",
		"expect(new m.C()).toBeDefined()", "expect(new m.C().f()).toBe(1)", "b"},
	"a private method": {"exports.C = class { #f() { return 1 }\n  g() { return this.#f() } }\n", "return 1", "return 2",
		"expect(m.C).toBeDefined()", "expect(new m.C().g()).toBe(1)", "-"},
	"a static block": {"exports.C = class { static { this.f = () => 1 } }\n", "=> 1", "=> 2",
		"expect(m.C).toBeDefined()", "expect(m.C.f()).toBe(1)", "b"},
	"in parentheses": {"exports.f = () => ({ a: 1 })\nexports.g = () => (/* so */ 1 + 1)\n", "a: 1", "a: 2",
		"expect(m.g()).toBe(2)", "expect(m.f().a).toBe(1)", "b"},
	"signs of two words": {"exports.s = '😀é'; exports.f = () => 1; exports.g = () => 1\n", "exports.g = () => 1", "exports.g = () => 2",
		"expect(m.f()).toBe(1)", "expect(m.g()).toBe(1)", "b"},
	"not counted": {"/* istanbul ignore next */\nexports.f = () => 1; exports.g = () => 1\n", "exports.f = () => 1", "exports.f = () => 2",
		"expect(m.g()).toBe(1)", "expect(m.f()).toBe(1)", "-"},
	"when it is loaded": {"const f = () => 1\nexports.v = f()\n", "=> 1", "=> 2",
		"expect(m.v).toBeDefined()", "expect(m.v).toBe(1)", "a b"},
	"modules that are loaded again": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m).toBeDefined()", "jest.resetModules(); expect(require('./m').f()).toBe(1); jest.resetModules()", "b"},
	"a module apart": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m).toBeDefined()", "let v; jest.isolateModules(() => { v = require('./m').f() }); expect(v).toBe(1)", "b"},
	"what is worked out": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m).toBeDefined()", "const name = './' + 'm'; expect(require(name).f()).toBe(1)", "b"},
	"a stand in": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "jest.spyOn(m, 'f').mockReturnValue(5); expect(m.f()).toBe(5)", "a"},
	"a stand in of its own": {"const k = f()\nfunction f () { return 1 }\nexports.f = f\nexports.k = k\n", "return 1", "return 2",
		"expect(m.f()).toBe(1)", "jest.resetModules(); jest.doMock('./m'); expect(require('./m').k).toBe(1)", "a b"},
	"its text": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(String(m.f)).toMatch(/1;?\\s*}?$/)", "a b"},
	"its file": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(require('fs').readFileSync(require.resolve('./m'), 'utf8')).toMatch(/=> 1/)", "a b"},
	"its file, later": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "return require('fs/promises').readFile(require.resolve('./m'), 'utf8').then(t => expect(t).toMatch(/=> 1/))", "a b"},
	"its file as a stream": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "return new Promise(done => { let t = ''; require('fs').createReadStream(require.resolve('./m')).on('data', d => { t += d }).on('end', () => done(t)) }).then(t => expect(t).toMatch(/=> 1/))", "a b"},
	"its file, run": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "const exports = {}; new Function('exports', require('fs').readFileSync(require.resolve('./m'), 'utf8'))(exports); expect(exports.f()).toBe(1)", "a b"},
	"its line": {"exports.f = () => 1\nexports.g = () => { throw new Error() }\n", "=> 1", "=> (\n  1)",
		"expect(m.f()).toBe(1)", "try { m.g() } catch (e) { expect(e.stack).toMatch(/m.js:2/) }", "a b"},
	"a program": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(String(require('child_process').execFileSync(process.execPath, ['-p', `require(${JSON.stringify(require.resolve('./m'))}).f()`]))).toBe('1\\n')", "a b"},
	"a program, later": {"exports.f = () => 1\nif (require.main === module) console.log(exports.f())\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "return new Promise(done => { let t = ''; require('child_process').spawn(process.execPath, [require.resolve('./m')]).stdout.on('data', d => { t += d }).on('end', () => done(t)) }).then(t => expect(t).toBe('1\\n'))", "a b"},
	"a thread": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "const { Worker } = require('worker_threads'); return new Promise(done => new Worker(`require('worker_threads').parentPort.postMessage(require(${JSON.stringify(require.resolve('./m'))}).f())`, { eval: true }).on('message', done)).then(v => expect(v).toBe(1))", "a b"},
	"another world": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(require('vm').runInNewContext('(' + m.f + ')', { cov_: 1 }) === undefined).toBe(false)", "a b"},
	"chance": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "if (Math.random() < 0) expect(m.f()).toBe(1)", "a b"},
	"a server of its own": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "const s = require('http').createServer((q, r) => r.end('x')); return new Promise(done => s.listen(0, '127.0.0.1', () => require('http').get({ port: s.address().port, host: '127.0.0.1', agent: false }, r => { r.resume(); r.on('end', () => s.close(done)) })))", "a"},
	"a file that is kept": {"const fs = require('fs')\nconst name = __filename + '.kept'\nexports.get = () => { if (!fs.existsSync(name)) fs.writeFileSync(name, f()); return fs.readFileSync(name, 'utf8') }\nconst f = () => 'one'\nexports.f = f\n", "'one'", "'two'",
		"expect(m.f()).toBeDefined(); m.get() // " + strings.Repeat("large files run first ", 20), "expect(m.get()).toBe('one')", "a b"},
	"a file of its own": {"const fs = require('fs')\nconst name = __filename + '.own'\nexports.f = () => 1\nexports.g = () => { fs.writeFileSync(name, '1'); return fs.readFileSync(name, 'utf8') }\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(m.g()).toBe('1')", "a"},
	"the text of a class": {"exports.C = class { f () { return 1 } }\n", "return 1", "return 2",
		"expect(new m.C().f()).toBe(1)", "expect('' + m.C).toMatch(/return 1/)", "a b"},
	"it is tried again": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "globalThis.n = (globalThis.n || 0) + 1; if (globalThis.n === 1) throw new Error('once'); expect(true).toBe(true)", "a b"},
	"a mock by its name": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "jest.doMock('./other', () => jest.requireActual('./m'), { virtual: true }); expect(require('./other').f()).toBe(1)", "a b"},
	"another name of the file": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "const fs = require('fs'); const link = require.resolve('./m').replace('m.js', 'link.js'); try { fs.unlinkSync(link) } catch {} fs.symlinkSync('m.js', link); try { expect(require(link).f()).toBe(1) } finally { fs.unlinkSync(link) }", "a b"},
	"a server from before": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "return new Promise(done => require('http').get({ port: process.env.PORT, host: '127.0.0.1' }, r => { r.on('data', d => done(String(d))) })).then(v => expect(v).toBe('1'))", "-"},
	"a rejection": {"exports.f = async () => { throw new Error('x') }\n", "throw new Error('x')", "return 1",
		"expect(m.f).toBeDefined()", "return expect(m.f()).rejects.toThrow('x')", "b"},
	"it fails": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(1).toBe(2)", "a b"},
	"types and values": {"import { v } from './side'\nexport const f = () => 1\nexport const g = () => { void v; return 1 }\n", "void v; ", "",
		"expect(m.f()).toBe(1)", "m.f(); expect(globalThis.side).toBe(1)", "-"},
	"what jest loads": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(globalThis.set).toBe(1)", "-"},
	"what an environment loads": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(globalThis.ready).toBe(1)", "-"},
	"what a build makes": {"exports.f = () => 1\n", "=> 1", "=> 2",
		"expect(m.f()).toBe(1)", "expect(require('../dist/made').f()).toBe(1)", "a b"},
}

var failedSuite = pattern.New(`(?m)^FAIL (\S+)`)

// jestPackages are the installed packages of the sample.
func jestPackages(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../testdata/repo/jest/node_modules")
	assert.NilError(t, err)
	if _, err := os.Stat(filepath.Join(dir, "jest", "bin", "jest.js")); err != nil {
		t.Skip("run make fixtures: ", err)
	}
	return dir
}

// layScripts makes a project of jest.
func layScripts(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		assert.NilError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
}

// jestIn runs jest and gives what it executed, with what it printed.
func jestIn(t *testing.T, dir string, executed time.Duration, args ...string) (*qa.Execution, string) {
	t.Helper()
	out := t.TempDir()
	d := adapter.Detection{Framework: "jest", Installed: true, Tools: adapter.Tools{Program: []string{"node", "node_modules/jest/bin/jest.js"}, Args: args}}
	inv, err := javascript.Jest.Invocation(d, adapter.Request{OutDir: out, Coverage: executed > 0, Executed: executed})
	assert.NilError(t, err)
	layScripts(t, out, inv.Files)
	res, err := process.Run(t.Context(), process.Command{Argv: inv.Argv, Dir: dir, Env: append(os.Environ(), inv.Env...), Timeout: 4 * time.Minute})
	assert.NilError(t, err)
	left, err := filepath.Glob(filepath.Join(out, javascript.Jest.Trace.Files))
	assert.NilError(t, err)
	var answers [][]byte
	for _, name := range left {
		text, err := os.ReadFile(name)
		assert.NilError(t, err)
		answers = append(answers, text)
	}
	return javascript.Jest.Trace.Read(dir, d, answers).Executed, string(res.Stdout) + string(res.Stderr)
}

// TestWhatScriptsHide puts all faults in at once and runs everything: each test file that
// fails is among those that its fault alone would have run.
func TestWhatScriptsHide(t *testing.T) {
	t.Parallel()
	packages := jestPackages(t)
	for _, args := range fixture.Some([][]string{{"--runInBand"}, {"--maxWorkers=2"}}, 1) {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			assert.NilError(t, os.Symlink(packages, filepath.Join(dir, "node_modules")))
			files := map[string]string{
				"package.json":                       `{"jest": {"globalSetup": "./what_jest_loads/setup.js", "testMatch": ["**/*.test.[jt]s"]}, "babel": {"presets": [["@babel/preset-env", {"targets": {"node": "current"}}], "@babel/preset-typescript"]}}`,
				"what_jest_loads/setup.js":           "module.exports = async () => { process.env.SET = String(require('./m').f()); process.env.PORT = await require('../a_server_from_before/serve')() }\n",
				"a_server_from_before/serve.js":      "const s = require('http').createServer((q, r) => r.end(String(require('./m').f())))\nmodule.exports = () => new Promise(done => { s.unref(); s.listen(0, '127.0.0.1', () => done(s.address().port)) })\n",
				"what_jest_loads/set.js":             "globalThis.set = Number(process.env.SET)\n",
				"types_and_values/side.ts":           "export const v = 1\n;(globalThis as any).side = 1\n",
				"what_an_environment_loads/ready.js": "const node = require('jest-environment-node')\nmodule.exports = class extends (node.TestEnvironment || node) {\n  async setup () { await super.setup(); this.global.ready = require('./m').f() }\n}\n",
				"dist/made.js":                       "exports.f = () => 1\n",
			}
			head := map[string]string{"dist/made.js": "exports.f = () => 2\n"}
			moduleOf := func(name string) string {
				folder, ext := strings.NewReplacer(" ", "_", ",", "").Replace(name), ".js"
				if name == "types and values" {
					ext = ".ts"
				}
				return folder + "/m" + ext
			}
			for name, h := range scriptHides {
				m := moduleOf(name)
				files[m], head[m] = h.module, strings.Replace(h.module, h.old, h.fault, 1)
				assert.Assert(t, files[m] != head[m], name)
				for unit, body := range map[string]string{"a": h.a, "b": h.b} {
					text := "const m = require('./m')\n"
					switch {
					case name == "what jest loads" && unit == "b":
						text = "require('./set')\n"
					case name == "what an environment loads" && unit == "b":
						text = "/** @jest-environment ./what_an_environment_loads/ready.js */\n"
					case name == "it is tried again" && unit == "b":
						text = "jest.retryTimes(2)\n"
					case name == "what a build makes" && unit == "b", name == "a program" && unit == "b":
						text = ""
					}
					files[filepath.Join(filepath.Dir(m), unit+".test.js")] = text + "test('it', () => { " + body + "\n})\n"
				}
			}
			layScripts(t, dir, files)
			e, said := jestIn(t, dir, time.Minute, args...)
			assert.Assert(t, e != nil, said)
			for _, m := range failedSuite.FindAllStringSubmatch(said, -1) {
				assert.Assert(t, m[1] == "it_fails/b.test.js", said)
			}

			kept, _ := filepath.Glob(filepath.Join(dir, "*", "*.kept"))
			assert.Equal(t, len(kept), 1)
			assert.NilError(t, os.Remove(kept[0]))
			layScripts(t, dir, head)
			_, said = jestIn(t, dir, 0, args...)
			failing := map[string]bool{}
			for _, m := range failedSuite.FindAllStringSubmatch(said, -1) {
				failing[m[1]] = true
			}
			graph := Imports(dir, func(yield func(string) bool) {
				for name := range files {
					if !strings.HasPrefix(name, "dist/") && !yield(name) {
						return
					}
				}
			}, ForTests)
			never := func(string) bool { return false }
			for name, h := range scriptHides {
				m := moduleOf(name)
				b := Bodies{Executed: e, Graph: func() *Graph { return graph }, Text: func(name string) []byte { return []byte(files[name]) },
					Before: func(f qa.FileChange) []byte { return []byte(files[f.Path]) }, Now: func(f qa.FileChange) []byte { return []byte(head[f.Path]) }}
				c := Change{Files: []qa.FileChange{{Path: m, Status: qa.Modified, Kind: qa.KindSource}}, Bodies: &b, Steers: never, Unread: never, Elsewhere: never}
				got, folder := "-", filepath.Dir(m)
				s, ok := c.Executed(e.Units)
				own := each.Where(s.Units, func(u string) bool { return filepath.Dir(u) == folder })
				if ok {
					got = strings.Join(each.Of(own, func(u string) string { return strings.TrimSuffix(filepath.Base(u), ".test.js") }), " ")
				}
				if got != h.want {
					t.Errorf("%s: %q, want %q: %v, always %v, read %v", name, got, h.want, e.Files[m], e.Always, e.Read[m])
				}
				for _, unit := range []string{"a", "b"} {
					file := folder + "/" + unit + ".test.js"
					if failing[file] && got != "-" && !slices.Contains(own, file) {
						t.Errorf("%s fails and is left out", file)
					}
				}
				unharmed := []string{"chance", "a stand in", "a server of its own", "another world", "a file of its own", "it is tried again"}
				if !slices.Contains(unharmed, name) && !failing[folder+"/b.test.js"] {
					t.Errorf("%s: b does not see the fault", name)
				}
			}
			t.Logf("always %v before %v", e.Always, e.Before)
			if t.Failed() {
				t.Log(said)
			}
		})
	}
}
