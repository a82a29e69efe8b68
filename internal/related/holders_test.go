package related

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestClassesStandWithTheirTests: a class is shown with tests of it, and not without.
func TestClassesStandWithTheirTests(t *testing.T) {
	t.Parallel()
	other := "    def test_%(self):\n" + strings.Repeat("        assert other() == 1\n", 8)
	src := "import pytest\n\n\nclass TestOther:\n    limit = 3\n\n" + strings.ReplaceAll(other, "%", "a") + "\n\nclass TestLoad:\n    path = 1\n\n" +
		strings.ReplaceAll(other, "%", "b") + "\n    def test_load(self):\n        assert load() == 1\n"
	got := Shown(unchanged, "tests/test_a.py", []byte(src), []string{"load"}, 300)
	assert.Assert(t, strings.HasPrefix(got, "import pytest\n\nclass TestLoad:\n    def test_load(self):\n        assert load() == 1"), got)
	got = Shown(unchanged, "tests/test_a.py", []byte(src), []string{"other"}, 420)
	assert.Assert(t, strings.HasPrefix(got, "import pytest\n\n\nclass TestOther:\n    limit = 3\n\n    def test_a(self):"), got)
}
