package formatter

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestMend lets ruff mend a test file by the rules of its project.
func TestMend(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 with the programs of tools.csv on PATH")
	}
	t.Parallel()
	program, err := exec.LookPath("ruff")
	assert.NilError(t, err)
	binary, err := os.ReadFile(program)
	assert.NilError(t, err)
	repo := fixture.New(t, "pytest")
	repo.Write("pyproject.toml", "[tool.ruff.lint]\nselect = [\"F\", \"I\"]\n[tool.ruff.format]\nquote-style = \"single\"\n")
	const unsorted, sorted = "import os\nimport abc\n\nassert abc\nassert os\n", "import abc\nimport os\n\nassert abc\nassert os\n"
	repo.Write("test_own.py", unsorted)
	repo.Write("test_quotes.py", "assert \"a\"\n")
	repo.Commit("rules")
	assert.NilError(t, os.MkdirAll(filepath.Join(repo.Dir, ".venv", "bin"), 0o750))
	assert.NilError(t, os.WriteFile(filepath.Join(repo.Dir, ".venv", "bin", "ruff"), binary, 0o700)) //nolint:gosec // a program
	copied, err := runtime.Open(t.Context(), runtime.Options{Driver: "host", Root: repo.Dir, Cache: t.TempDir(), Install: "never"})
	assert.NilError(t, err)
	t.Cleanup(func() { assert.Check(t, copied.Close()) })
	p := Project{Copy: copied, Read: func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(repo.Dir, name)) }}
	for name, c := range map[string]struct{ file, text, want string }{
		"a new file":                {"test_new.py", unsorted, sorted},
		"nothing to mend":           {"test_new.py", sorted, sorted},
		"lines of its author":       {"test_own.py", unsorted + "assert True\n", unsorted + "assert True\n"},
		"no Python":                 {"test_new.py", "def (\n", "def (\n"},
		"formatted":                 {"test_new.py", "assert  \"a\"\n", "assert 'a'\n"},
		"not as its author formats": {"test_quotes.py", "assert \"a\"\nassert  1\n", "assert \"a\"\nassert  1\n"},
	} {
		got, err := p.Format(t.Context(), c.file, []byte(c.text))
		assert.Check(t, name == "no Python" || err == nil, err)
		assert.Equal(t, string(got), c.want, name)
	}
}

// What eslint 10.15 prints with --fix-dry-run.
func TestMendedByESLint(t *testing.T) {
	t.Parallel()
	eslint := language.Of("a.js").Formatters[0]
	for printed, want := range map[string]string{
		`[{"filePath":"/p/a.js","messages":[],"errorCount":0,"output":"const a = 1;\n","usedDeprecatedRules":[]}]`: "const a = 1;\n",
		`[{"filePath":"/p/a.js","messages":[],"errorCount":0,"source":"let a = 1;\n","usedDeprecatedRules":[]}]`:   "",
		"Oops! Something went wrong! :(": "", "": "",
	} {
		assert.Equal(t, string(eslint.Mended([]byte(printed))), want)
	}
}

// A Go file that its author did not format stays as it is.
func TestFormatGo(t *testing.T) {
	t.Parallel()
	const loose, tidy = "package a\nfunc  A() {}\n", "package a\n\nfunc A() {}\n"
	p := Project{Read: func(name string) ([]byte, error) {
		if name == "new_test.go" {
			return nil, os.ErrNotExist
		}
		return []byte(map[string]string{"tidy_test.go": tidy, "loose_test.go": loose, "broken_test.go": "package"}[name]), nil
	}}
	for name, want := range map[string]string{"new_test.go": tidy, "tidy_test.go": tidy, "loose_test.go": loose, "broken_test.go": loose} {
		got, err := p.Format(t.Context(), name, []byte(loose))
		assert.NilError(t, err)
		assert.Equal(t, string(got), want, name)
	}
}
