package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/source/outline"
)

// byHand are the programs the scan runs too, as one would type them one after
// another (gitleaks is the library inside); the scan adds its own engines
// (esbuild, complexity, test smells) and the settling of what all of them say.
var byHand = [][]string{
	{"go", "vet", "./..."},
	{"staticcheck", "./..."},
	{"gosec", "-quiet", "-fmt", "json", "./..."},
	{"oxlint", "--format", "json", "."},
	{"ruff", "check", "--no-cache", "--output-format", "json", "."},
	{"gitleaks", "dir", "--no-banner", "."},
}

// BenchmarkScan scans a tree of 1,000 files that all changed, once as code that
// no cache has seen (cold) and once again (warm), against byHand on a tree of
// the same shape. It needs the programs of internal/scan/engine/tools.csv on PATH.
func BenchmarkScan(b *testing.B) {
	for _, argv := range byHand {
		if _, err := exec.LookPath(argv[0]); err != nil {
			b.Skipf("%s is not on PATH: install gitleaks and what internal/scan/engine/tools.csv names", argv[0])
		}
	}
	sum := map[string]time.Duration{}
	n := 0
	for b.Loop() {
		n++
		for i, side := range []string{"scan", "hand"} {
			root := b.TempDir()
			files := mixedTree(b, root, fmt.Sprint(time.Now().UnixNano(), i))
			for _, pass := range []string{"cold", "warm"} {
				start := time.Now()
				if side == "scan" {
					scanTree(b, root, files)
				} else {
					runByHand(b, root)
				}
				sum[side+" "+pass] += time.Since(start)
			}
		}
	}
	for _, pass := range []string{"cold", "warm"} {
		b.ReportMetric(sum["scan "+pass].Seconds()/float64(n), "scan-"+pass+"-s")
		b.ReportMetric(sum["hand "+pass].Seconds()/float64(n), "hand-"+pass+"-s")
		b.ReportMetric(float64(sum["hand "+pass])/float64(sum["scan "+pass]), "hand/scan-"+pass)
	}
}

func scanTree(b *testing.B, root string, files []qa.FileChange) {
	b.Helper()
	res, err := scan.Run(b.Context(), scan.Request{
		Subject: engine.Subject{AbsRoot: root, Change: qa.Change{Files: files}, Outline: outline.Parse},
		Hands:   engine.Hands{Env: os.Environ(), Timeout: 10 * time.Minute},
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range res.Engines {
		if e.State == "failed" || e.State == "timeout" {
			b.Fatalf("%s: %s", e.Name, e.Reason)
		}
	}
}

func runByHand(b *testing.B, root string) {
	b.Helper()
	for _, argv := range byHand {
		cmd := exec.CommandContext(b.Context(), argv[0], argv[1:]...)
		cmd.Dir = root
		// They exit with 1 when they find something.
		if out, err := cmd.Output(); err != nil && cmd.ProcessState.ExitCode() != 1 {
			b.Fatalf("%v: %v\n%s", argv, err, out)
		}
	}
}

// mixedTree writes 400 Go files in 40 packages, 300 TypeScript and 300 Python
// files. The seed makes sure that no cache knows them.
func mixedTree(b *testing.B, root, seed string) []qa.FileChange {
	b.Helper()
	var files []qa.FileChange
	put := func(name, language, text string) {
		abs := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		if language != "" {
			files = append(files, qa.FileChange{Path: name, Status: qa.Added, Kind: qa.KindSource, Language: language, Added: []qa.Range{{Start: 1, End: 200}}})
		}
	}
	put("go.mod", "", "module example.com/tree\n\ngo 1.24\n")
	for i := range 400 {
		text := fmt.Sprintf("// Package p%d is generated for %s.\npackage p%d\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n", i/10, seed, i/10)
		for f := range 8 {
			text += fmt.Sprintf("\n// F%d_%d joins.\nfunc F%d_%d(parts []string, n int) (string, error) {\n\tif n > len(parts) {\n\t\treturn \"\", fmt.Errorf(\"only %%d\", len(parts))\n\t}\n\treturn strings.Join(parts[:n], \"-\"), nil\n}\n", i, f, i, f)
		}
		put(fmt.Sprintf("p%d/f%d.go", i/10, i), "go", text)
	}
	for i := range 300 {
		ts, py := "", ""
		for f := range 8 {
			ts += fmt.Sprintf("export function f%d(items: number[]): number {\n  let sum = 0;\n  for (const item of items) {\n    if (item > %d) sum += item;\n  }\n  return sum;\n}\n\n", f, f)
			py += fmt.Sprintf("def f%d(items):\n    total = 0\n    for item in items:\n        if item > %d:\n            total += item\n    return total\n\n\n", f, f)
		}
		put(fmt.Sprintf("web/m%d/f%d.ts", i/20, i), "typescript", ts+"// "+seed+"\n")
		put(fmt.Sprintf("tools/m%d/f%d.py", i/20, i), "python", py+"# "+seed+"\n")
	}
	return files
}
