package coverage

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/cover"
	"gotest.tools/v3/golden"
)

// With the source at hand braces, blank lines and comments are no code.
func TestGocoverWithSource(t *testing.T) {
	t.Parallel()
	cov, err := Read([]string{"testdata/gocover/coverpkg.out"}, Options{Root: "testdata/gocover/app"})
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, show(cov), "gocover/with-source.golden")
}

// The go command's own reader must find the same statements.
func TestGocoverAgreesWithGoTool(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"set.out", "count.out", "atomic.out", "coverpkg.out"} {
		file = filepath.Join("testdata", "gocover", file)
		profiles, err := cover.ParseProfiles(file)
		if err != nil {
			t.Fatal(err)
		}
		total, covered := 0, 0
		for _, p := range profiles {
			for _, b := range p.Blocks {
				total += b.NumStmt
				if b.Count > 0 {
					covered += b.NumStmt
				}
			}
		}
		cov, err := readTestdata(file, "")
		if err != nil {
			t.Fatal(err)
		}
		if cov.Statements.Total != total || cov.Statements.Covered != covered {
			t.Errorf("%s: %s, the go tool has %d/%d", file, cov.Statements.Text(), covered, total)
		}
	}
}

// A docstring that ran is told apart from a statement by its text.
func TestCoveragepyWithSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("a.py", "import os\n\nclass A:\n    r'''Says what it is.'''\n    x = 1\n")
	report := write("coverage.json", `{"meta": {}, "files": {"a.py": {"executed_lines": [1, 3, 4, 5], "missing_lines": [], "summary": {"covered_lines": 3}}}}`)
	cov, err := Read([]string{report}, Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	if got := show(cov); got != "total: lines 3/3 statements 3/3 branches - functions -\na.py: lines 3/3 statements 3/3 branches - functions -\n  lines 1:1 3:1 5:1\n" {
		t.Error(got)
	}
}
