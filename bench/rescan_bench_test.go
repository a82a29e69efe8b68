package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkScanOfAChange has `qa scan` look at 1,000 changed files of 20,000, for the
// first time and again, beside the engines alone that it runs: ruff over the same files,
// or Python's compiler where ruff is not on PATH. It reports processor time, which other
// work on the machine moves least.
func BenchmarkScanOfAChange(b *testing.B) {
	qa := filepath.Join(b.TempDir(), "qa")
	build := exec.CommandContext(b.Context(), "go", "build", "-tags", tags, "-o", qa, "../cmd/qa")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	alone := []string{"python3", "-I", "-c", "import sys\nfor p in sys.argv[1:]:\n    compile(open(p, 'rb').read(), p, 'exec', dont_inherit=True)"}
	if _, err := exec.LookPath("ruff"); err == nil {
		alone = []string{"ruff", "check", "--no-cache", "--isolated", "--quiet", "--exit-zero", "--output-format", "json"}
	}
	sum := map[string]time.Duration{}
	n := 0
	for b.Loop() {
		n++
		root := b.TempDir()
		changed := largeChange(b, root)
		spend := func(what string, argv ...string) {
			cmd := exec.CommandContext(b.Context(), argv[0], argv[1:]...)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%s: %v\n%s", what, err, out)
			}
			sum[what] += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		spend("engines", append(alone, changed...)...)
		spend("change", "git", "diff", "--raw", "--patch", "--unified=0", "main")
		spend("first", qa, "scan", "--base", "main", "--fail-on", "never")
		spend("again", qa, "scan", "--base", "main", "--fail-on", "never")
	}
	for what, spent := range sum {
		b.ReportMetric(spent.Seconds()/float64(n), what+"-s")
	}
}

// tags leave the grammars out that nobody needs, as the Makefile does.
const tags = "grammar_subset,grammar_subset_javascript,grammar_subset_typescript,grammar_subset_tsx,grammar_subset_python,grammar_subset_rust,grammar_subset_java"

// largeChange is a repository of 20,000 Python files in which a commit changed 1,000.
func largeChange(b *testing.B, root string) (changed []string) {
	b.Helper()
	text := func(i, limit int) []byte {
		var s strings.Builder
		for f := range 8 {
			fmt.Fprintf(&s, "def f%d_%d(items, limit=%d):\n    total = 0\n    for item in items:\n        if item > %d:\n            total += item\n    return total + limit\n\n\n", f, i, limit, f)
		}
		return []byte(s.String())
	}
	write := func(i, limit int) string {
		name := fmt.Sprintf("m%d/f%d.py", i/50, i)
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), text(i, limit), 0o644); err != nil {
			b.Fatal(err)
		}
		return name
	}
	git := func(args ...string) {
		cmd := exec.CommandContext(b.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for i := range 20_000 {
		if i%50 == 0 {
			if err := os.Mkdir(filepath.Join(root, fmt.Sprintf("m%d", i/50)), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		write(i, 0)
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("checkout", "-q", "-b", "feature")
	for i := 0; i < 20_000; i += 20 {
		changed = append(changed, write(i, 1))
	}
	git("commit", "-q", "-a", "-m", "two")
	return changed
}
