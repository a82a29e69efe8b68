package baseline

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
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// hides are ways in which a test may depend on a function that it does not seem to enter.
// Of each there is a module of that name, with the fault that is put into it, and two test
// files, a and b. want are those that run then; "-" is that what was executed does not tell,
// and texts do.
var hides = map[string]struct{ module, old, fault, a, b, want string }{
	"plain": {"def f():\n    return 1\n\ndef g():\n    return 2\n", "return 2", "return 3",
		"assert m.f() == 1", "assert m.g() == 2", "b"},
	"a cache": {"import functools\n@functools.lru_cache\ndef get():\n    return f()\n\ndef f():\n    return 1\n", "return 1", "return 3",
		"m.get()", "assert m.get() == 1", "a b"},
	"a cache by a call": {"import functools\ndef f():\n    return 1\n\nget = functools.lru_cache(f)\n", "return 1", "return 3",
		"m.get()", "assert m.get() == 1", "a b"},
	"one asks, another one keeps": {"class C:\n    value = None\n    def get(self):\n        if self.value is None:\n            self.load()\n        return self.value\n    def load(self):\n        self.value = f()\n\ndef f():\n    return 1\n\nc = C()\n", "return 1", "return 3",
		"m.c.get()", "assert m.c.get() == 1", "a b"},
	"a cache that is handed in": {"cache = {}\ndef memo(c, k):\n    if k not in c:\n        c[k] = f()\n    return c[k]\n\ndef f():\n    return 1\n", "return 1", "return 3",
		"m.memo(m.cache, 1)", "assert m.memo(m.cache, 1) == 1", "a b"},
	"a table": {"import functools\ndef f():\n    return 1\n\ntable = {'x': f}\n@functools.cache\ndef get(name):\n    return table[name]()\n", "return 1", "return 3",
		"m.get('x')", "assert m.get('x') == 1", "a b"},
	"an operator": {"import functools\nclass M:\n    def __init__(self, n):\n        self.n = n\n    def __add__(self, o):\n        return M(self.n + o.n)\n\none = M(1)\n@functools.cache\ndef total(*all):\n    out = all[0]\n    for a in all[1:]:\n        out = out + a\n    return out.n\n", "self.n + o.n", "self.n - o.n",
		"m.total(m.one, m.one)", "assert m.total(m.one, m.one) == 2", "a b"},
	"a module that is loaded late": {"def get():\n    import late\n    return late.VALUE\n\ndef f():\n    return 1\n", "return 1", "return 3",
		"m.get()", "assert m.get() == 1", "a b"},
	"a thread": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "import threading\n    out = []\n    t = threading.Thread(target=lambda: out.append(m.f()))\n    t.start()\n    t.join()\n    assert out == [1]", "a b"},
	"begun by hand": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "import _thread, time\n    out = []\n    _thread.start_new_thread(lambda: out.append(m.f()), ())\n    while not out:\n        time.sleep(0.001)\n    assert out == [1]", "a b"},
	"a program": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "import subprocess, sys\n    assert subprocess.call([sys.executable, '-c', 'import %s as m; assert m.f() == 1' % m.__name__]) == 0", "a b"},
	"a fork": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "import os\n    pid = os.fork()\n    if pid == 0:\n        os._exit(m.f())\n    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1", "a b"},
	"a process": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "import multiprocessing\n    with multiprocessing.get_context('spawn').Pool(1) as p:\n        assert p.apply(m.f) == 1", "a b"},
	"no trace": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "import sys\n    was = sys.gettrace()\n    sys.settrace(None)\n    got = m.f()\n    sys.settrace(was)\n    assert got == 1", "a b"},
	"its text": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "import inspect\n    assert 'return 1' in inspect.getsource(m.f)", "a b"},
	"its file": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "assert 'return 1' in open(m.__file__).read()", "a b"},
	"its constants": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "assert 1 in getattr(m.f, '__code__').co_consts", "a b"},
	"its line": {"def f():\n    return 1\n\ndef g():\n    raise ValueError\n", "return 1", "x = 3\n    return x",
		"assert m.f() == 1", "try:\n        m.g()\n    except ValueError as e:\n        assert e.__traceback__.tb_next.tb_lineno == 5", "a b"},
	"no generator any more": {"def f():\n    yield 1\n\ndef g():\n    def h():\n        yield 1\n    return h\n", "def f():\n    yield 1", "def f():\n    return 1  # no yield",
		"assert list(m.f()) == [1]", "assert iter(m.f())", "-"},
	"a file that is kept": {"import os\nname = __file__ + '.kept'\ndef get():\n    if not os.path.exists(name):\n        with open(name, 'w') as out:\n            out.write(f())\n    with open(name) as text:\n        return text.read()\n\ndef f():\n    return 'one'\n", "'one'", "'two'",
		"assert m.f()\n    m.get()", "assert m.get() == 'one'", "a b"},
	"what another one switched on": {"quick = False\ndef run():\n    return fast() if quick else 1\n\ndef fast():\n    return 1\n", "def fast():\n    return 1", "def fast():\n    return 3",
		"m.quick = True\n    assert m.fast()", "assert m.run() == 1", "a b"},
	"what another one left": {"found = []\ndef f():\n    return 1\n", "return 1", "return 3",
		"m.found.append(m.f())", "assert m.found == [1]", "a b"},
	"one after the other": {"def f():\n    yield 1\n    yield 2\n\nall = f()\n", "yield 2", "yield 3",
		"assert next(m.all) == 1", "assert next(m.all) == 2", "a b"},
	"a fixture of the session": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert shared", "assert shared == 1", "a b"},
	"when it is loaded": {"def f():\n    return 1\n\nVALUE = f()\n", "return 1", "return 3",
		"assert m.f()", "assert m.VALUE == 1", "-"},
	"when tests are collected": {"def f():\n    return [1]\n", "return [1]", "return [3]",
		"assert m.f()", "assert case == 1", "-"},
	"chance": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f() == 1", "import random\n    if random.random() < 0:\n        assert m.f() == 1", "a b"},
	"another loop": {"async def f():\n    return 1\n", "return 1", "return 3",
		"try:\n        m.f().send(None)\n    except StopIteration:\n        pass", "import asyncio\n    assert asyncio.run(m.f()) == 1", "a b"},
	"a key": {"def f(x):\n    return -x\n", "return -x", "return x",
		"assert m.f(1)", "assert sorted([1, 2], key=m.f) == [2, 1]", "a b"},
	"another name of the file": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f()", "import os, importlib.util as u\n    link = m.__file__[:-3] + '_link.py'\n    os.symlink(m.__file__, link)\n    s = u.spec_from_file_location('link', link)\n    other = u.module_from_spec(s)\n    s.loader.exec_module(other)\n    os.unlink(link)\n    assert other.f() == 1", "a b"},
	"a stand in": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f() == 1", "monkeypatch.setattr(m, 'f', lambda: 5)\n    assert m.f() == 5", "a"},
	"what stays": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f() == 1", "import threading, time\n    threading.Thread(target=time.sleep, args=(2,), daemon=True).start()", "a b"},
	"a server": {"def f():\n    return 1\n", "return 1", "return 3",
		"assert m.f() == 1", "import socket\n    s = socket.create_server(('127.0.0.1', 0))\n    socket.create_connection(s.getsockname()).close()\n    s.close()", "a b"},
}

// python are the programs and packages of the sample.
func pytestProgram(t *testing.T) string {
	t.Helper()
	program, err := filepath.Abs("../../testdata/repo/pytest/.venv/bin/python")
	assert.NilError(t, err)
	if _, err := os.Stat(program); err != nil {
		t.Skip("run make fixtures: ", err)
	}
	return program
}

// lay writes files into a folder.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		assert.NilError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
}

// enteredIn runs pytest in a project and gives what it executed, with what it printed.
func enteredIn(t *testing.T, dir string, limit time.Duration) (*qa.Execution, string) {
	t.Helper()
	out := t.TempDir()
	d := adapter.Detection{Framework: "pytest", Coverage: true, Tools: adapter.Tools{CoverageTool: "pytest-cov", Program: []string{pytestProgram(t), "-m", "pytest"}, Sources: []string{"."}}}
	inv, err := python.Pytest.Invocation(d, adapter.Request{OutDir: out, Coverage: true, Executed: limit})
	assert.NilError(t, err)
	lay(t, out, inv.Files)
	res, err := process.Run(t.Context(), process.Command{Argv: inv.Argv, Dir: dir, Env: append(os.Environ(), inv.Env...), Timeout: 4 * time.Minute})
	assert.NilError(t, err)
	left, err := filepath.Glob(filepath.Join(out, python.Pytest.Trace.Files))
	assert.NilError(t, err)
	var answers [][]byte
	for _, name := range left {
		text, err := os.ReadFile(name)
		assert.NilError(t, err)
		answers = append(answers, text)
	}
	return python.Pytest.Trace.Read(dir, d, answers).Executed, string(res.Stdout)
}

var failed = pattern.New(`(?m)^(?:FAILED|ERROR) ([^\s:]+)`)

// TestWhatHides puts all faults in at once and runs everything: each test file that fails
// is among those that its fault alone would have run.
func TestWhatHides(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files, head := map[string]string{}, map[string]string{}
	files["pytest.ini"] = "[pytest]\naddopts = --doctest-modules --ignore=late.py\n"
	files["conftest.py"] = "import pytest\n\n@pytest.fixture(scope='session')\ndef shared():\n    import a_fixture_of_the_session as m\n    return m.f()\n"
	files["late.py"] = "import a_module_that_is_loaded_late as m\nVALUE = m.f()\n"
	files["doc.py"] = "def f():\n    return 1\n\ndef g():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n"
	head["doc.py"] = strings.Replace(files["doc.py"], "return 1", "return 3", 1)
	moduleOf := func(name string) string { return strings.NewReplacer(" ", "_", ",", "").Replace(name) }
	for name, h := range hides {
		m := moduleOf(name)
		files[m+".py"], head[m+".py"] = h.module, strings.Replace(h.module, h.old, h.fault, 1)
		assert.Assert(t, files[m+".py"] != head[m+".py"], name)
		for unit, body := range map[string]string{"a": h.a, "b": h.b} {
			text := "import " + m + " as m\n\n"
			args := each.Where([]string{"shared", "monkeypatch", "case"}, func(a string) bool { return strings.Contains(body, a) })
			if strings.Contains(body, "case") {
				text += "import pytest\n@pytest.mark.parametrize('case', m.f())\n"
			}
			files["test_"+m+"_"+unit+".py"] = text + "def test(" + strings.Join(args, ", ") + "):\n    " + body + "\n"
		}
	}
	lay(t, dir, files)
	e, said := enteredIn(t, dir, 2*time.Minute)
	assert.Assert(t, e != nil, said)
	assert.Assert(t, !failed.MatchString(said), said)

	onHead := t.TempDir()
	lay(t, onHead, files)
	lay(t, onHead, head)
	res, err := process.Run(t.Context(), process.Command{Argv: []string{pytestProgram(t), "-m", "pytest", "-q", "-rfE", "--tb=no"}, Dir: onHead, Timeout: 4 * time.Minute})
	assert.NilError(t, err)
	var failing []string
	for _, m := range failed.FindAllSubmatch(res.Stdout, -1) {
		failing = append(failing, string(m[1]))
	}
	selected := func(module string) []string {
		b := impact.Bodies{Executed: e, Text: func(name string) []byte { return []byte(files[name]) },
			Before: func(f qa.FileChange) []byte { return []byte(files[f.Path]) }, Now: func(f qa.FileChange) []byte { return []byte(head[f.Path]) }}
		c := impact.Change{Files: []qa.FileChange{{Path: module + ".py", Status: qa.Modified, Kind: qa.KindSource}}, Bodies: &b,
			Steers: func(string) bool { return false }, Unread: func(string) bool { return false }, Elsewhere: func(string) bool { return false }}
		s, ok := c.Executed(e.Units)
		if !ok {
			return []string{"-"}
		}
		return s.Units
	}
	if !slices.Contains(failing, "doc.py") || !slices.Contains(selected("doc"), "doc.py") {
		t.Errorf("a test of the documentation: %v", e.Files["doc.py"])
	}
	unharmed := map[string]bool{"chance": true, "a stand in": true, "what stays": true, "a server": true}
	for name, h := range hides {
		m := moduleOf(name)
		units := selected(m)
		own := each.Where(units, func(u string) bool { return strings.HasPrefix(u, "test_"+m+"_") })
		got := strings.Join(each.Of(own, func(u string) string { return strings.TrimSuffix(strings.TrimPrefix(u, "test_"+m+"_"), ".py") }), " ")
		if slices.Contains(units, "-") {
			got = "-"
		}
		if got != h.want {
			t.Errorf("%s: %s, want %s: %v", name, got, h.want, e.Files[m+".py"])
		}
		for _, unit := range []string{"a", "b"} {
			file := "test_" + m + "_" + unit + ".py"
			if slices.Contains(failing, file) && got != "-" && !slices.Contains(own, file) {
				t.Errorf("%s fails and is left out", file)
			}
		}
		if !unharmed[name] && !slices.Contains(failing, "test_"+m+"_b.py") {
			t.Errorf("%s: b does not see the fault", name)
		}
	}
}

// TestHowMuchIsKnown: where what runs beside the tests cannot be followed, nothing is known
// of any; and who runs them sees nothing of it.
func TestHowMuchIsKnown(t *testing.T) {
	t.Parallel()
	const test = "import p\n\ndef test_a():\n    assert p.one() == 1\n"
	program := "import subprocess, sys\nsubprocess.call([sys.executable, '-c', '1'])\n"
	for name, c := range map[string]struct {
		file, text string
		limit      time.Duration
		want       string // the test files that always run
	}{
		"nothing":                      {"test_b.py", test, time.Minute, ""},
		"no time for it":               {"test_b.py", test, 0, "unknown"},
		"one file":                     {"p.py", "def one():\n    return 1\n", time.Minute, "unknown"},
		"a program when it is loaded":  {"test_b.py", program + test, time.Minute, "unknown"},
		"one of the interpreter's":     {"test_b.py", "import platform\nplatform.uname().processor\n" + test, time.Minute, ""},
		"one of a test":                {"test_b.py", "import os\n\ndef test_b():\n    os.system('true')\n", time.Minute, "test_b.py"},
		"a thread when it is loaded":   {"test_b.py", "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n" + test, time.Minute, "unknown"},
		"another profile function":     {"test_b.py", "import sys\nsys.setprofile(None)\nif hasattr(sys, 'monitoring'):\n    for i in range(6):\n        sys.monitoring.free_tool_id(i)\n" + test, time.Minute, "unknown"},
		"spread over processes":        {"conftest.py", "def pytest_configure(config):\n    config.option.dist = 'load'\n", time.Minute, "unknown"},
		"an end in the middle":         {"test_b.py", "import os\n\ndef test_b():\n    os._exit(0)\n", time.Minute, "unknown"},
		"too slow":                     {"test_b.py", "import time\n\ndef test_b():\n    time.sleep(3)\n", time.Second, "unknown"},
		"an end of the second time":    {"test_b.py", "import os\n\ndef test_b():\n    if os.path.exists('mark'):\n        os._exit(0)\n    open('mark', 'w').close()\n", time.Minute, "test_a.py test_b.py"},
		"no children that nobody made": {"test_b.py", "import os, pytest\n\ndef test_b():\n    with pytest.raises(ChildProcessError):\n        os.waitpid(-1, os.WNOHANG)\n", time.Minute, ""},
		"what is measured otherwise":   {"test_b.py", "import coverage, p\n\ndef test_b():\n    c = coverage.Coverage(data_file=None)\n    c.start()\n    p.one()\n    c.stop()\n", time.Minute, "test_b.py"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			lay(t, dir, map[string]string{"p.py": "def one():\n    return 1\n", "test_a.py": test})
			lay(t, dir, map[string]string{c.file: c.text})
			if c.file == "conftest.py" {
				lay(t, dir, map[string]string{"test_b.py": test})
			}
			e, said := enteredIn(t, dir, c.limit)
			got := "unknown"
			if e != nil {
				got = strings.Join(e.Always, " ")
			}
			assert.Equal(t, got, c.want, said)
			assert.Equal(t, strings.Contains(said, " passed"), name != "an end in the middle", said)
		})
	}
}
