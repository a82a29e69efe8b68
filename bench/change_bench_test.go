package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/process"
)

// BenchmarkChange detects a change of 10,000 files and reports how many seconds
// that takes beyond git's own status and diff of the same change (target: 1).
func BenchmarkChange(b *testing.B) {
	const files = 10_000
	dir := b.TempDir()
	git := func(args ...string) {
		b.Helper()
		res, err := process.Run(b.Context(), process.Command{
			Argv: append([]string{"git", "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...), Dir: dir,
			Env: []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"}, MaxOutput: 256 << 20,
		})
		if err != nil || res.ExitCode != 0 {
			b.Fatalf("git %s: %v %s", args[0], err, res.Stderr)
		}
	}
	write := func(version int) {
		for i := range files {
			name := filepath.Join(dir, fmt.Sprintf("pkg%03d", i%200), fmt.Sprintf("f%05d.go", i))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				b.Fatal(err)
			}
			body := strings.Repeat(fmt.Sprintf("line of file %d\n", i), 20)
			if err := os.WriteFile(name, []byte(fmt.Sprintf("package p // %d\n%s// end %d\n", version, body, version)), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	git("init", "-q", "-b", "main")
	write(1)
	git("add", "-A")
	git("commit", "-q", "-m", "base")
	git("checkout", "-q", "-b", "topic")
	write(2)
	git("commit", "-q", "-a", "-m", "head")
	var own, total time.Duration
	for b.Loop() {
		start := time.Now()
		git("status", "--porcelain", "-z", "--untracked-files=all")
		git("diff", "--raw", "-z", "-p", "-U0", "-M", "-C", "main", "--")
		own += time.Since(start)
		start = time.Now()
		c, err := change.FromGit(b.Context(), change.Options{Dir: dir})
		total += time.Since(start)
		if err != nil || len(c.Files) != files {
			b.Fatalf("%d files, %v", len(c.Files), err)
		}
	}
	n := float64(b.N)
	b.ReportMetric(own.Seconds()/n, "git-s/op")
	b.ReportMetric((total-own).Seconds()/n, "beyond-git-s/op")
}
