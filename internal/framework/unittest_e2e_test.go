package framework_test

import (
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

const cases = `import unittest


class Cases(unittest.TestCase):
    def test_good(self):
        self.assertEqual(1, 1)

    def test_bad(self):
        self.assertEqual(1, 2)

    @unittest.skip("later")
    def test_later(self):
        pass
`

// A program of the repository that runs unittest by itself keeps its own runner,
// result and exit code, and every test of it is seen.
func TestPythonProgramsOfUnittest(t *testing.T) {
	needsTools(t)
	t.Parallel()
	for name, c := range map[string]struct {
		command string
		files   map[string]string
		exit    int
		whole   bool // a selection runs all
	}{
		"a module with two suites": {
			command: "python -m demo.tests.every",
			files: map[string]string{"demo/__init__.py": "", "demo/tests/__init__.py": "", "demo/tests/every.py": `import sys
import unittest
import weakref
from demo.tests import cases

suite = unittest.defaultTestLoader.loadTestsFromModule(cases)
gone = [weakref.ref(t) for tests in suite for t in tests if t._testMethodName == "test_good"]
good = unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful()
assert [t() for t in gone] == [None], "unittest lets go of a test that is over"
sys.exit(0 if good else 3)
`, "demo/tests/cases.py": cases},
			exit: 3,
		},
		"a file with a runner and a result of its own": {
			command: "python -W ignore tests/run.py --fast",
			files: map[string]string{"tests/cases.py": cases, "tests/run.py": `import os
import sys
import unittest
import cases

assert sys.argv[1:] == ["--fast"], sys.argv


class Quiet(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.own = []

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.own.append(test)


class Runner(unittest.TextTestRunner):
    def _makeResult(self):
        return Counting(self.stream, self.descriptions, self.verbosity)


class Counting(unittest.TextTestResult):
    pass


os.chdir(os.path.dirname(os.path.abspath(__file__)))
Runner().run(unittest.defaultTestLoader.loadTestsFromName("cases"))
`},
		},
		"a runner that does all by itself": {
			command: "python run.py",
			files: map[string]string{"cases.py": cases, "run.py": `import unittest
import cases


class Runner(unittest.TextTestRunner):
    def run(self, suite):
        result = unittest.TestResult()
        suite(result)
        return result


Runner().run(unittest.defaultTestLoader.loadTestsFromModule(cases))
`},
			whole: true,
		},
		"a result that is none of unittest's": {
			command: "python run.py",
			files: map[string]string{"cases.py": cases, "run.py": `import unittest
import cases

assert unittest.TextTestRunner


class Own:
    shouldStop = False

    def nothing(self, *args):
        pass

    startTest = stopTest = addSuccess = addFailure = addError = addSkip = addSubTest = nothing


unittest.defaultTestLoader.loadTestsFromModule(cases)(Own())
`},
			whole: true,
		},
		"the tests themselves": {
			command: "python cases.py",
			files:   map[string]string{"cases.py": cases + "\n\nif __name__ == '__main__':\n    unittest.main()\n"},
			exit:    1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"tox.ini": "[tox]\nskipsdist = true\n[testenv]\ncommands = " + c.command + "\n"}
			for name, text := range c.files {
				files[name] = text
			}
			dir := fixture.Files(t, files)
			d := detect(t, dir, "", "unittest")
			o := run(t, dir, d, adapter.Request{})
			assert.Equal(t, o.tally, qa.Tally{Tests: 3, Passed: 1, Failed: 1, Skipped: 1}, o.tail)
			assert.Equal(t, o.exit, c.exit, o.tail)
			for _, one := range o.suite.Cases {
				assert.Assert(t, one.File != "" && one.Line > 0, "%+v", one)
				assert.Assert(t, c.files[one.File] != "", "%+v", one)
				picked := run(t, dir, d, adapter.Request{Tests: adapter.Select([]qa.Case{one}), Shuffle: true, Seed: 1})
				assert.Equal(t, picked.tally.Tests, map[bool]int{false: 1, true: 3}[c.whole], picked.tail)
			}
		})
	}
}

// TestUnawaitedTests: unittest calls a coroutine or a generator passed of which no line
// ran. Those that somebody awaits ran.
func TestUnawaitedTests(t *testing.T) {
	needsTools(t)
	t.Parallel()
	dir := fixture.Files(t, map[string]string{"test_waits.py": `import asyncio
import unittest


class Unawaited(unittest.TestCase):
    async def test_coroutine(self):
        self.fail()

    def test_generator(self):
        self.fail()
        yield

    def test_plain(self):
        asyncio.run(asyncio.sleep(0))


class Awaited(unittest.IsolatedAsyncioTestCase):
    async def test_awaited(self):
        await asyncio.sleep(0)


class Own(unittest.TestCase):
    def _callTestMethod(self, method):
        asyncio.run(method())

    async def test_own(self):
        await asyncio.sleep(0)
`})
	o := run(t, dir, detect(t, dir, "", "unittest"), adapter.Request{})
	assert.Equal(t, o.tally, qa.Tally{Tests: 5, Passed: 3, Skipped: 2}, o.tail)
	for _, one := range o.suite.Cases {
		if one.Status == qa.Skipped {
			assert.Assert(t, cmp.Contains(one.Message, "nobody awaits"))
		}
	}
}
