package bench

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkScanOfAChange has `qa scan` look at 1,000 changed files of 20,000, for the
// first time and again, beside the engines alone that it runs, on files alike: ruff (or
// Python's compiler where ruff is not on PATH) where all of them are in Python; and the
// engines of internal/scan/engine/tools.csv where four of ten are in Go, three in
// TypeScript and three in Python. It reports processor time, which other work on the
// machine moves least, and wall time.
func BenchmarkScanOfAChange(b *testing.B) {
	qa := filepath.Join(b.TempDir(), "qa")
	command(b, ".", "go", "build", "-tags", tags, "-o", qa, "../cmd/qa")
	for _, bench := range []struct {
		name     string
		language func(folder int) string
	}{
		{"python", func(int) string { return "py" }},
		{"mixed", func(folder int) string {
			return []string{"go", "go", "go", "go", "ts", "ts", "ts", "py", "py", "py"}[folder%10]
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			spent, took := map[string]time.Duration{}, map[string]time.Duration{}
			n := 0
			for b.Loop() {
				n++
				var root string
				run := func(what string, argv ...string) {
					cmd := exec.CommandContext(b.Context(), argv[0], argv[1:]...)
					cmd.Dir = root
					start := time.Now()
					if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 { // what engines find is an exit code
						b.Fatalf("%s: %v\n%s", what, err, out)
					}
					took[what] += time.Since(start)
					spent[what] += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				}
				for _, side := range []string{"engines", "scan"} {
					root = b.TempDir()
					seed := fmt.Sprint(time.Now().UnixNano(), side)
					engines := enginesOf(b, largeChange(b, root, seed, bench.language))
					if side == "scan" {
						engines = [][]string{{qa, "scan", "--base", "main", "--fail-on", "never"}}
						run("change", "git", "diff", "--raw", "--patch", "--unified=0", "main")
					}
					for _, pass := range []string{"first", "again"} {
						for _, argv := range engines {
							run(side+"-"+pass, argv...)
						}
					}
				}
			}
			for what := range spent {
				b.ReportMetric(spent[what].Seconds()/float64(n), what+"-cpu-s")
				b.ReportMetric(took[what].Seconds()/float64(n), what+"-s")
			}
			for _, pass := range []string{"first", "again"} {
				b.ReportMetric(float64(spent["scan-"+pass])/float64(spent["engines-"+pass]), pass+"-cpu-x")
				b.ReportMetric(float64(took["scan-"+pass])/float64(took["engines-"+pass]), pass+"-x")
			}
		})
	}
}

// enginesOf are the programs that a scan of the files runs, as one would type them.
func enginesOf(b *testing.B, files []string) (all [][]string) {
	b.Helper()
	of := map[string][]string{}
	packages := map[string]bool{}
	for _, name := range files {
		ext := filepath.Ext(name)
		of[ext] = append(of[ext], name)
		if ext == ".go" && !packages[filepath.Dir(name)] {
			packages[filepath.Dir(name)] = true
			of["packages"] = append(of["packages"], "./"+filepath.Dir(name))
		}
	}
	if len(of["packages"]) > 0 {
		for _, argv := range [][]string{{"go", "vet"}, {"staticcheck"}, {"gosec", "-quiet", "-fmt", "json"}} {
			all = append(all, append(argv, of["packages"]...))
		}
	}
	if len(of[".ts"]) > 0 {
		all = append(all, append([]string{"oxlint", "--format", "json"}, of[".ts"]...))
	}
	for _, argv := range all {
		if _, err := exec.LookPath(argv[0]); err != nil {
			b.Skipf("%s is not on PATH: install what internal/scan/engine/tools.csv names", argv[0])
		}
	}
	python := []string{"python3", "-I", "-c", "import sys\nfor p in sys.argv[1:]:\n    compile(open(p, 'rb').read(), p, 'exec', dont_inherit=True)"}
	if _, err := exec.LookPath("ruff"); err == nil {
		python = []string{"ruff", "check", "--no-cache", "--isolated", "--quiet", "--exit-zero", "--output-format", "json"}
	}
	return append(all, append(python, of[".py"]...))
}

// tags leave the grammars out that nobody needs, as the Makefile does.
const tags = "grammar_subset,grammar_subset_javascript,grammar_subset_typescript,grammar_subset_tsx,grammar_subset_python,grammar_subset_rust,grammar_subset_java"

// largeChange is a repository of 400 folders with 50 files, each folder in the language
// that it is given by its number, in which a commit changed all files of 20 folders. The
// seed makes sure that no cache of Go knows them.
func largeChange(b *testing.B, root, seed string, language func(folder int) string) (changed []string) {
	b.Helper()
	put := func(folder, file, limit int) string {
		ext := language(folder)
		var s strings.Builder
		if ext == "go" {
			fmt.Fprintf(&s, "// Package m%d is generated for %s.\npackage m%d\n", folder, seed, folder)
		}
		for f := range 8 {
			switch ext {
			case "go":
				fmt.Fprintf(&s, "\n// F%[1]d_%[2]d sums.\nfunc F%[1]d_%[2]d(items []int) int {\n\ttotal := %[3]d\n\tfor _, item := range items {\n\t\tif item > %[1]d {\n\t\t\ttotal += item\n\t\t}\n\t}\n\treturn total\n}\n", f, file, limit)
			case "ts":
				fmt.Fprintf(&s, "export function f%[1]d(items: number[], limit = %[2]d): number {\n  let total = 0;\n  for (const item of items) {\n    if (item > %[1]d) total += item;\n  }\n  return total + limit;\n}\n\n", f, limit)
			default:
				fmt.Fprintf(&s, "def f%[1]d_%[2]d(items, limit=%[3]d):\n    total = 0\n    for item in items:\n        if item > %[1]d:\n            total += item\n    return total + limit\n\n\n", f, file, limit)
			}
		}
		name := fmt.Sprintf("m%d/f%d.%s", folder, file, ext)
		write(b, root, name, s.String())
		return name
	}
	git := func(args ...string) {
		command(b, root, append([]string{"git", "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	}
	write(b, root, "go.mod", "module example.com/large\n\ngo 1.24\n")
	for folder := range 400 {
		for file := range 50 {
			put(folder, file, 0)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("checkout", "-q", "-b", "feature")
	for folder := 0; folder < 400; folder += 21 {
		for file := range 50 {
			changed = append(changed, put(folder, file, 1))
		}
	}
	git("commit", "-q", "-a", "-m", "two")
	return changed
}
