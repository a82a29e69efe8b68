package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/org/qa-action/internal/qa"
)

// BenchmarkShards runs a suite in 1, 2, 4 and 8 parts, one after the other, and merges
// them: tests that wait, 60 s in all, in files of 0 to 2 s, and 20,000 tests that do
// nothing in 400 files. Reported are, of each number of parts, how many times shorter than
// all tests the tests of the longest part are, and how many times fewer those of the
// largest, the processor seconds of all parts together beyond those of one run of the
// whole, and those of the merge, whose counts must be those of the whole. Sample projects must be set up (make fixtures).
func BenchmarkShards(b *testing.B) {
	program := filepath.Join(b.TempDir(), "qa")
	command(b, ".", "go", "build", "-o", program, "../cmd/qa")
	for _, s := range []struct {
		name         string
		files, tests int
		wait         func(file int) float64 // seconds of each test
	}{
		{"waiting", 60, 1, func(file int) float64 { return float64(file) * 2 / 59 }},
		{"many", 400, 50, func(int) float64 { return 0 }},
	} {
		for _, n := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("%s/%d-parts", s.name, n), func(b *testing.B) {
				dir := parted(b, s.files, s.tests, s.wait)
				run := func(to string, argv ...string) (qa.Report, time.Duration) {
					before := childTime(b)
					command(b, dir, append([]string{program}, append(argv, "--base", "main", "--mode", "full", "--output-dir", to)...)...)
					return reportIn(b, filepath.Join(dir, to)), childTime(b) - before
				}
				command(b, dir, program, "run", "--quiet", "--base", "HEAD~1", "--mode", "full")
				command(b, dir, "git", "checkout", "-q", "-b", "feature")
				write(b, dir, "busy/p0.py", "VALUE = 2\n")
				command(b, dir, "git", "commit", "-q", "-a", "-m", "change")
				for b.Loop() {
					command(b, dir, "sh", "-c", "rm -rf qa-part qa-whole qa-merged; mkdir qa-part qa-whole qa-merged; for to in qa-whole qa-merged; do cp -a qa-report/history $to; done")
					whole, once := run("qa-whole", "run", "--quiet")
					longest, most, all, parts := 0.0, 0, time.Duration(0), []string{}
					for i := range n {
						to := fmt.Sprintf("qa-part/%d", i+1)
						command(b, dir, "sh", "-c", "mkdir "+to+" && cp -a qa-report/history "+to)
						part, took := run(to, "run", "--quiet", "--shard", fmt.Sprintf("%d/%d", i+1, n))
						longest, most, all, parts = max(longest, inTests(part)), max(most, part.Tests.Head.Tests), all+took, append(parts, to)
					}
					merged, took := run("qa-merged", append([]string{"merge"}, parts...)...)
					if merged.Tests.Head != whole.Tests.Head || merged.Result != whole.Result {
						b.Fatalf("%s of %+v, the whole is %s of %+v", merged.Result, merged.Tests.Head, whole.Result, whole.Tests.Head)
					}
					if inTests(whole) > 10 { // else these are differences of rounding
						b.ReportMetric(inTests(whole)/longest, "times-shorter")
					}
					b.ReportMetric(float64(whole.Tests.Head.Tests)/float64(most), "tests-fewer")
					b.ReportMetric(once.Seconds(), "whole-cpu-s")
					b.ReportMetric((all - once).Seconds(), "again-cpu-s")
					b.ReportMetric(took.Seconds(), "merge-cpu-s")
				}
			})
		}
	}
}

// inTests is how long the tests of a report took together.
func inTests(r qa.Report) (seconds float64) {
	for _, c := range r.Tests.Cases {
		seconds += c.Seconds
	}
	return seconds
}

// reportIn is the report of the only session in a directory.
func reportIn(b *testing.B, dir string) (r qa.Report) {
	b.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*", "report.json"))
	if err != nil || len(names) != 1 {
		b.Fatalf("reports in %s: %q %v", dir, names, err)
	}
	raw, err := os.ReadFile(names[0])
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// parted is a repository in Python with so many tests in each of its files.
func parted(b *testing.B, files, tests int, wait func(file int) float64) string {
	b.Helper()
	dir := b.TempDir()
	packages := filepath.Join("..", "testdata", "repo", "pytest", ".venv")
	if _, err := os.Stat(packages); err != nil {
		b.Skipf("%v: run make fixtures", err)
	}
	command(b, ".", "cp", "-a", packages, dir)
	write(b, dir, ".gitignore", ".venv\nqa-*\n.coverage\n__pycache__\n")
	write(b, dir, "pyproject.toml", "[project]\nname = \"busy\"\nversion = \"1\"\n\n[tool.pytest.ini_options]\npythonpath = [\".\"]\n\n[tool.coverage.run]\nsource = [\"busy\"]\n")
	write(b, dir, "busy/__init__.py", "")
	for i := range files {
		sleep := ""
		if seconds := wait(i); seconds > 0 { // to sleep for no time lets other programs have their turn
			sleep = fmt.Sprintf("    time.sleep(%.4f)\n", seconds)
		}
		write(b, dir, fmt.Sprintf("busy/p%d.py", i), "VALUE = 0\n")
		write(b, dir, fmt.Sprintf("tests/test_p%d.py", i), fmt.Sprintf("import time\n\nimport pytest\nfrom busy.p%d import VALUE\n\n\n@pytest.mark.parametrize('n', range(%d))\ndef test_work(n):\n%s    assert VALUE >= 0\n", i, tests, sleep))
	}
	command(b, dir, "git", "init", "-q", "-b", "main")
	for version := range 2 {
		write(b, dir, "busy/p0.py", fmt.Sprintf("VALUE = %d\n", version))
		command(b, dir, "git", "add", "-A")
		command(b, dir, "git", "commit", "-q", "-m", fmt.Sprint("version ", version))
	}
	return dir
}
