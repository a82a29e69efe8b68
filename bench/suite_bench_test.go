package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkSuite holds whole runs against the project's own test command with coverage,
// on projects of three sizes whose tests keep every processor busy: a change whose base
// no run has seen, one whose base the run of the default branch has measured, and the
// next push of it; of a command that keeps what it transformed also a call without that, as
// on a new machine. Reported are the ratios of the wall clock and what is more than the
// bare suite, in seconds. Sample projects must be set up (make fixtures), and nothing
// else should run on the machine.
func BenchmarkSuite(b *testing.B) {
	qa := filepath.Join(b.TempDir(), "qa")
	command(b, ".", "go", "build", "-o", qa, "../cmd/qa")
	for _, p := range suites {
		for _, size := range []struct {
			name  string
			files int
		}{{"small", 1}, {"middle", 10}, {"large", 60}} {
			b.Run(p.name+"/"+size.name, func(b *testing.B) {
				dir := p.lay(b, size.files*p.each)
				took := func(argv ...string) float64 {
					start := time.Now()
					command(b, dir, argv...)
					return time.Since(start).Seconds()
				}
				run := []string{qa, "run", "--quiet", "--base", "main", "--mode", "full"}
				push := func(n int) {
					p.write(b, dir, 0, n)
					command(b, dir, "git", "commit", "-q", "-a", "-m", fmt.Sprint("push ", n))
				}
				for b.Loop() {
					took(p.bare...)
					bare := min(took(p.bare...), took(p.bare...))
					command(b, dir, "git", "checkout", "-q", "main")
					took(qa, "run", "--quiet", "--base", "HEAD~1", "--mode", "full")
					command(b, dir, "git", "checkout", "-q", "-B", "feature")
					push(2)
					known := took(run...)
					push(3)
					next := took(run...)
					if err := os.RemoveAll(filepath.Join(dir, "qa-report")); err != nil {
						b.Fatal(err)
					}
					push(4)
					first := took(run...)
					b.ReportMetric(bare, "bare-s")
					if p.cache != "" {
						cold := took(append(slices.Clone(p.bare), p.cache+b.TempDir())...)
						b.ReportMetric(cold, "bare-without-cache-s")
						b.ReportMetric(next/cold, "next-push-without-cache-x")
					}
					for name, seconds := range map[string]float64{"base-unknown": first, "base-known": known, "next-push": next} {
						b.ReportMetric(seconds/bare, name+"-x")
						b.ReportMetric(seconds-bare, name+"-more-s")
					}
				}
			})
		}
	}
}

// suite is a kind of project whose tests take as long as there are files of them.
type suite struct {
	name string
	// sample is a project of testdata/repo that lends its installed packages.
	sample, packages string
	fixed            map[string]string
	bare             []string
	cache            string // option that names the folder of what the command transformed before
	each             int    // files for about a second of tests on two processors
	// source and test are those of the n-th file, in a version.
	source, test func(n, version int) (name, text string)
}

// work is what every test computes: a number of steps that no compiler can leave out.
const work = 12_000_000

var suites = []suite{
	{
		name: "gotest", bare: []string{"go", "test", "-count=1", "-coverprofile=/dev/null", "./..."}, each: 10,
		fixed: map[string]string{"go.mod": "module example.com/busy\n\ngo 1.22\n"},
		source: func(n, version int) (string, string) {
			return fmt.Sprintf("p%d/p.go", n), fmt.Sprintf("package p%d\n\n// Work counts.\nfunc Work(steps int) int {\n\tsum := %d\n\tfor i := range steps {\n\t\tsum += i %% 7\n\t}\n\treturn sum\n}\n", n, version)
		},
		test: func(n, version int) (string, string) {
			return fmt.Sprintf("p%d/p_test.go", n), fmt.Sprintf("package p%d\n\nimport \"testing\"\n\nfunc TestWork(t *testing.T) {\n\tif Work(%d) < %d {\n\t\tt.Fail()\n\t}\n}\n", n, 4*work, version)
		},
	},
	script("vitest", 4, []string{"npx", "vitest", "run", "--coverage"}, "import { expect, test } from 'vitest';\n"),
	script("jest", 10, []string{"npx", "jest", "--coverage"}, ""),
	{
		name: "pytest", sample: "pytest", packages: ".venv", bare: []string{".venv/bin/python", "-m", "pytest", "-q", "--cov"}, each: 4,
		fixed: map[string]string{"pyproject.toml": "[project]\nname = \"busy\"\nversion = \"1\"\n\n[tool.pytest.ini_options]\npythonpath = [\".\"]\n\n[tool.coverage.run]\nsource = [\"busy\"]\n", "busy/__init__.py": ""},
		source: func(n, version int) (string, string) {
			return fmt.Sprintf("busy/p%d.py", n), fmt.Sprintf("def work(steps):\n    return sum(i %% 7 for i in range(steps)) + %d\n", version)
		},
		test: func(n, version int) (string, string) {
			return fmt.Sprintf("tests/test_p%d.py", n), fmt.Sprintf("from busy.p%d import work\n\n\ndef test_work():\n    assert work(%d) > %d\n", n, work/24, version)
		},
	},
}

// script is a project in JavaScript, with the packages of the sample of its name.
func script(name string, each int, bare []string, head string) suite {
	fixed := map[string]string{"package.json": `{"name": "busy", "version": "1.0.0", "type": "module", "scripts": {"test": "vitest run"}}`, "vitest.config.ts": "export default { test: { coverage: { provider: 'v8', include: ['src/**'] } } };\n"}
	source, test, cache := "export function", "import { work } from '../src/p%d.js';\n", ""
	if name == "jest" {
		cache = "--cacheDirectory="
		fixed = map[string]string{"package.json": `{"name": "busy", "version": "1.0.0", "scripts": {"test": "jest"}}`}
		source, test = "exports.work = function", "const { work } = require('../src/p%d.js');\n"
	}
	return suite{
		cache: cache, name: name, sample: name, packages: "node_modules", bare: bare, each: each, fixed: fixed,
		source: func(n, version int) (string, string) {
			return fmt.Sprintf("src/p%d.js", n), fmt.Sprintf("%s work(steps) {\n  let sum = %d;\n  for (let i = 0; i < steps; i++) {\n    sum += i %% 7;\n  }\n  return sum;\n}\n", source, version)
		},
		test: func(n, version int) (string, string) {
			return fmt.Sprintf("test/p%d.test.js", n), head + fmt.Sprintf(test, n) + fmt.Sprintf("test('works', () => {\n  expect(work(%d)).toBeGreaterThan(%d);\n});\n", work, version)
		},
	}
}

// lay makes a repository with n files of tests and two commits on main.
func (s suite) lay(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	for name, text := range s.fixed {
		write(b, dir, name, text)
	}
	write(b, dir, ".gitignore", "node_modules\n.venv\nqa-report\ncoverage\n.coverage\n__pycache__\n")
	if s.packages != "" {
		from := filepath.Join("..", "testdata", "repo", s.sample, s.packages)
		if _, err := os.Stat(from); err != nil {
			b.Skipf("%v: run make fixtures", err)
		}
		command(b, ".", "cp", "-a", from, dir)
	}
	for i := range n {
		s.write(b, dir, i, 0)
	}
	command(b, dir, "git", "init", "-q", "-b", "main")
	for version := range 2 {
		s.write(b, dir, 0, version)
		command(b, dir, "git", "add", "-A")
		command(b, dir, "git", "commit", "-q", "-m", fmt.Sprint("version ", version))
	}
	return dir
}

func (s suite) write(b *testing.B, dir string, n, version int) {
	b.Helper()
	for _, part := range []func(int, int) (string, string){s.source, s.test} {
		name, text := part(n, version)
		write(b, dir, name, text)
	}
}

func write(b *testing.B, dir, name, text string) {
	b.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.TrimLeft(text, "\n")), 0o644); err != nil {
		b.Fatal(err)
	}
}
