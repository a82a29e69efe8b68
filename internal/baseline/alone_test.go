package baseline

import (
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
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport"
)

// within are ways in which a test may depend on a function by what another test of its file
// does. Each is a test file over a module m of a fault in f; want are the tests that run
// then, all for the file as a whole.
var within = map[string]struct{ file, want string }{
	"apart":                               {"def test_f():\n    assert m.f() == 1\n\ndef test_g():\n    assert m.g() == 2\n", "test_f"},
	"by parameter":                        {"import pytest\n\n@pytest.mark.parametrize('of', ['f', 'g', 'a::b > c[]'])\ndef test(of):\n    assert getattr(m, of, m.g)() < 3\n", "test[f]"},
	"of classes":                          {"class TestA:\n    def test(self):\n        assert m.f() == 1\n\nclass TestB:\n    def test(self):\n        assert m.g() == 2\n", "TestA > test"},
	"of unittest":                         {"import unittest\n\nclass A(unittest.TestCase):\n    def test_f(self):\n        self.assertEqual(m.f(), 1)\n\n    def test_g(self):\n        self.assertEqual(m.g(), 2)\n", "A > test_f"},
	"a class that sets up":                {"import unittest\n\nclass A(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        cls.all = []\n\n    def test_f(self):\n        self.all.append(m.f())\n\n    def test_g(self):\n        self.assertTrue(all(x == 1 for x in self.all))\n\n    def test_other(self):\n        pass\n", "all"},
	"a module that sets up":               {"def setup_module(module):\n    module.all_of = []\n\ndef test_f():\n    all_of.append(m.f())\n\ndef test_g():\n    assert all(x == 1 for x in all_of)\n", "all"},
	"a list of the class":                 {"class Test:\n    all = []\n\n    def test_f(self):\n        self.all.append(m.f())\n\n    def test_g(self):\n        assert all(x == 1 for x in self.all)\n", "all"},
	"a number of the module":              {"n = 1\n\ndef test_f():\n    global n\n    n = m.f()\n\ndef test_g():\n    assert n == 1\n", "all"},
	"a default":                           {"def keep(x=None, kept=[]):\n    kept.append(x) if x else None\n    return kept\n\ndef test_f():\n    keep(m.f())\n\ndef test_g():\n    assert all(x == 1 for x in keep())\n", "all"},
	"a closure":                           {"def make():\n    kept = []\n    return kept.append, lambda: kept\n\nput, get = make()\n\ndef test_f():\n    put(m.f())\n\ndef test_g():\n    assert all(x == 1 for x in get())\n", "all"},
	"an object":                           {"class Box:\n    value = 1\n\nbox = Box()\n\ndef test_f():\n    box.value = m.f()\n\ndef test_g():\n    assert box.value == 1\n", "all"},
	"one that tells nothing":              {"class Box:\n    __slots__ = ('value',)\n    def __getattribute__(self, name):\n        return 1 if name == '__dict__' else object.__getattribute__(self, name)\n\nbox = Box()\n\ndef test_f():\n    box.value = m.f()\n\ndef test_g():\n    assert getattr(box, 'value', 1) == 1\n", "all"},
	"a generator":                         {"some = (m.f() for _ in range(2))\n\ndef test_f():\n    assert next(some)\n\ndef test_g():\n    assert next(some) == 1\n", "all"},
	"a parameter that changes":            {"import pytest\nall = []\n\n@pytest.mark.parametrize('to', [all])\ndef test_f(to):\n    to.append(m.f())\n\n@pytest.mark.parametrize('to', [all])\ndef test_g(to):\n    assert set(to) <= {1}\n", "all"},
	"a fixture of the module":             {"import pytest\n\n@pytest.fixture(scope='module')\ndef kept():\n    return []\n\ndef test_f(kept):\n    kept.append(m.f())\n\ndef test_g(kept):\n    assert all(x == 1 for x in kept)\n\ndef test_other():\n    pass\n", "test_f test_g"},
	"a fixture that is asked for late":    {"import pytest\n\n@pytest.fixture(scope='session')\ndef kept():\n    return []\n\ndef test_f(request):\n    request.getfixturevalue('kept').append(m.f())\n\ndef test_g(request):\n    assert all(x == 1 for x in request.getfixturevalue('kept'))\n\ndef test_other():\n    pass\n", "test_f test_g"},
	"a fixture that another one computes": {"import pytest\n\n@pytest.fixture(scope='module')\ndef value():\n    return m.f()\n\ndef test_a(value):\n    assert value\n\ndef test_b(value):\n    assert value == 1\n\ndef test_g():\n    assert m.g() == 2\n", "test_a test_b"},
	"a cache":                             {"import functools\n\n@functools.cache\ndef get():\n    return m.f()\n\ndef test_a():\n    assert get()\n\ndef test_b():\n    assert get() == 1\n\ndef test_g():\n    assert m.g() == 2\n", "test_a test_b"},
	"one after the other":                 {"import os\n\ndef test_a():\n    os.environ['QA_LEFT'] = str(m.f())\n\ndef test_b():\n    assert os.environ['QA_LEFT'] == '1'\n", "all"},
	"who enters more beside others":       {"def test_a():\n    m.kept.append(m.f())\n\ndef test_b():\n    for x in m.kept:\n        assert m.is_one(x)\n", "all"},
	"a program":                           {"import subprocess, sys\n\ndef test_a():\n    assert m.f() == 1\n\ndef test_b():\n    assert subprocess.call([sys.executable, '-c', 'import sys; sys.path.insert(0, \"src\"); import m; assert m.f() == 1']) == 0\n\ndef test_g():\n    assert m.g() == 2\n", "test_a test_b"},
	"two of one name":                     {"import pytest\n\n@pytest.mark.parametrize('a', [1, 2], ids=['x', 'x'])\ndef test(a):\n    assert (m.f() if a == 2 else m.g()) < 3\n", "test[x1]"},
	"what fails as it did":                {"def test_f():\n    assert m.f() == 1\n\ndef test_g():\n    assert m.g() == 3\n", "all"},
}

// TestWhatHidesWithinAFile puts the fault in and runs everything: each test that fails is
// among those that would have run.
func TestWhatHidesWithinAFile(t *testing.T) {
	t.Parallel()
	const product = "kept = []\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n\ndef is_one(x):\n    return x == 1\n"
	broken := strings.Replace(product, "return 1", "return 3", 1)
	dir, onHead := t.TempDir(), t.TempDir()
	files := map[string]string{"src/m.py": product, "tests/test_apart_from_all.py": "def test():\n    pass\n", "pytest.ini": "[pytest]\npythonpath = src\n"}
	moduleOf := func(name string) string { return "tests/test_" + strings.ReplaceAll(name, " ", "_") + ".py" }
	for name, w := range within {
		files[moduleOf(name)] = "import m\n\n" + w.file
	}
	lay(t, dir, files)
	lay(t, onHead, files)
	lay(t, onHead, map[string]string{"src/m.py": broken})
	e, said := enteredIn(t, dir, 2*time.Minute)
	assert.Assert(t, e != nil, said)
	base, head := idsOf(t, dir, nil), idsOf(t, onHead, nil)

	units := slices.Sorted(slices.Values(e.Units))
	never := func(string) bool { return false }
	c := impact.Change{Files: []qa.FileChange{{Path: "src/m.py", Status: qa.Modified, Kind: qa.KindSource}}, Elsewhere: never, Steers: never, Unread: never,
		Bodies: &impact.Bodies{Executed: e, Text: func(name string) []byte { return []byte(files[name]) }, Ran: func(id string) bool { return base[id] == qa.Passed },
			Before: func(qa.FileChange) []byte { return []byte(product) }, Now: func(qa.FileChange) []byte { return []byte(broken) }}}
	s, ok := c.Executed(units)
	assert.Assert(t, ok)
	ran := idsOf(t, onHead, &s)
	for name, w := range within {
		unit := moduleOf(name)
		got := strings.Join(each.Of(each.Where(keys(ran), func(id string) bool { return strings.HasPrefix(id, unit+" > ") }), func(id string) string { return strings.TrimPrefix(id, unit+" > ") }), " ")
		if len(s.Without[unit]) == 0 && slices.Contains(s.Units, unit) {
			got = "all"
		}
		if got != w.want {
			t.Errorf("%s: %s runs, want %s: %v", name, got, w.want, e.Tests[unit])
		}
		for id, status := range head {
			if _, runs := ran[id]; strings.HasPrefix(id, unit+" > ") && status.Bad() && !runs {
				t.Errorf("%s: %s fails and is left out", name, id)
			}
		}
	}
}

func keys(m map[string]qa.Status) []string {
	var out []string
	for id := range m {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// idsOf runs the tests of a project, or those of a selection, and says how they end.
func idsOf(t *testing.T, dir string, s *impact.Selection) map[string]qa.Status {
	t.Helper()
	out := t.TempDir()
	d := adapter.Detection{Framework: "pytest", Tools: adapter.Tools{Program: []string{pytestProgram(t), "-m", "pytest"}}}
	req := adapter.Request{OutDir: out}
	if s != nil {
		req.Tests, req.Without = each.Of(s.Units, func(u string) adapter.Selected { return adapter.Selected{File: u} }), s.Without
	}
	inv, err := python.Pytest.Invocation(d, req)
	assert.NilError(t, err)
	lay(t, out, inv.Files)
	_, err = process.Run(t.Context(), process.Command{Argv: inv.Argv, Dir: dir, Env: append(inv.Env, "PATH=/usr/bin:/bin"), Timeout: 4 * time.Minute})
	assert.NilError(t, err)
	suite, err := testreport.Read([]string{filepath.Join(out, "pytest.xml")}, testreport.Options{Root: dir, Dir: ".", Failed: true})
	assert.NilError(t, err)
	ids := map[string]qa.Status{}
	for _, c := range suite.Cases {
		ids[c.ID()] = c.Status
	}
	return ids
}

// TestWhatIsLeftOut: of a file that has all tests that are to be left out, and others, those
// are left out; of any other, none.
func TestWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	const odd = "import pytest\n\n@pytest.mark.parametrize('a', ['x', 'a::b > c[d]', '-k', '\\n', 'é'])\ndef test(a):\n    pass\n\nclass Test:\n    def test(self):\n        pass\n"
	dir := t.TempDir()
	lay(t, dir, map[string]string{"test_a.py": odd, "sub/test_b.py": odd})
	all := keys(idsOf(t, dir, nil))
	assert.Equal(t, len(all), 12)
	for name, c := range map[string]struct {
		without []string
		left    int
	}{
		"one":                {[]string{"test[x]"}, 1},
		"odd":                {[]string{"test[a::b > c[d]]", "test[-k]", "Test > test"}, 3},
		"one that is gone":   {[]string{"test[x]", "test[gone]"}, 0},
		"all":                {each.Of(each.Where(all, func(id string) bool { return strings.HasPrefix(id, "test_a.py > ") }), func(id string) string { return strings.TrimPrefix(id, "test_a.py > ") }), 0},
		"of another program": {[]string{"$(touch x)", "../../etc"}, 0},
	} {
		ran := idsOf(t, dir, &impact.Selection{Units: []string{"test_a.py", "sub/test_b.py"}, Without: map[string][]string{"test_a.py": c.without}})
		assert.Equal(t, len(ran), 12-c.left, "%s: %v", name, keys(ran))
	}
}
