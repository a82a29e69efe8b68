package edit

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// A test whose name is given away runs no more.
func TestOutdone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"none":                      {"def test_a():\n    pass\n\n\ndef test_b():\n    pass\n", ""},
		"a function":                {"def test_a():\n    assert f()\n\n\ndef test_a():\n    pass\n", "test_a"},
		"a method":                  {"class TestA:\n    def test_a(self):\n        assert f()\n\n    @mark\n    def test_a(self):\n        pass\n", "TestA.test_a"},
		"an async one":              {"async def test_a():\n    assert f()\n\n\nasync def test_a():\n    pass\n", "test_a"},
		"in other classes":          {"class TestA:\n    def test_a(self):\n        pass\n\n\nclass TestB:\n    def test_a(self):\n        pass\n", ""},
		"a class":                   {"class TestA:\n    def test_a(self):\n        assert f()\n\n\nclass TestA:\n    def test_a(self):\n        pass\n", "TestA"},
		"a value":                   {"def test_a():\n    assert f()\n\n\ntest_a = test_b\n", "test_a"},
		"a mark":                    {"def test_a():\n    assert f()\n\n\ntest_a = mark(test_a)\n", ""},
		"by the version":            {"if new:\n    def test_a():\n        pass\nelse:\n    def test_a():\n        pass\n", ""},
		"within a branch":           {"if new:\n    def test_a():\n        assert f()\n\n    def test_a():\n        pass\n", "test_a"},
		"in a branch of its own":    {"class TestA:\n    def test_a(self):\n        assert f()\n\n    if True:\n        def test_a(self):\n            pass\n", "TestA.test_a"},
		"from outside of the class": {"class TestA:\n    def test_a(self):\n        assert f()\n\n    def test_b(self):\n        pass\n\n\nTestA.test_a = lambda self: None\nTestA.test_b = mark(TestA.test_b)\n", "TestA.test_a"},
		"of what has no tests":      {"import lib\n\n\nclass TestA:\n    def test_a(self):\n        pass\n\n\nlib.test_a = 1\nTestA.made = 2\n", ""},
		"behind branches":           {"try:\n    def test_a():\n        assert f()\nexcept E:\n    def test_a():\n        assert g()\n\n\ndef test_a():\n    pass\n", "test_a"},
		"a class in a class":        {"class TestA:\n    class TestB:\n        def test_a(self):\n            assert f()\n\n        def test_a(self):\n            pass\n", "TestA.TestB.test_a"},
		"three times":               {"def test_a():\n    assert f()\n\n\ndef test_a():\n    assert g()\n\n\ndef test_a():\n    pass\n", "test_a"},
		"helpers":                   {"def made():\n    pass\n\n\ndef made():\n    pass\n", ""},
		"within a test":             {"def test_a():\n    def test_b():\n        pass\n\n    def test_b():\n        pass\n", ""},
		"what is no Python at all":  {"def (", ""},
		"a property of that name":   {"class TestA:\n    @property\n    def made(self):\n        pass\n\n    @made.setter\n    def made(self, a):\n        pass\n\n    def test_a(self):\n        pass\n", ""},
		"a helper that is replaced": {"class TestA:\n    made = 1\n    made = 2\n\n    def test_a(self):\n        pass\n", ""},
	} {
		assert.Equal(t, strings.Join(Outdone("test_a.py", []byte(c.src)), " "), c.want, name)
	}
}
