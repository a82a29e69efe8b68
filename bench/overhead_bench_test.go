package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
)

// BenchmarkOverhead runs whole runs with a test command that only waits, so
// that its length is known and it needs no processor: what the run takes beyond
// that is our own. The suite runs on head and on base; both are taken off.
// Reported are the seconds beyond the suites, those of the processor in it, and
// the share of a suite of 60 seconds (target: 5 %; on 1,000 files: 2 seconds).
func BenchmarkOverhead(b *testing.B) {
	qa := filepath.Join(b.TempDir(), "qa")
	command(b, ".", "go", "build", "-o", qa, "../cmd/qa")
	for _, c := range []struct {
		name  string
		files int
	}{{"10-files", 10}, {"1000-files", 1000}} {
		b.Run(c.name, func(b *testing.B) {
			dir := waitingSuite(b, c.files)
			var beyond, cpu time.Duration
			for b.Loop() {
				before := childTime(b)
				start := time.Now()
				command(b, dir, qa, "run", "--quiet", "--test-command", "sh suite.sh", "--test-report", "out.xml", "--coverage-file", "lcov.info", "--output-dir", "report")
				beyond += time.Since(start) - inSuites(b, filepath.Join(dir, "report"))
				cpu += childTime(b) - before
				if err := os.RemoveAll(filepath.Join(dir, "report")); err != nil {
					b.Fatal(err)
				}
			}
			n := float64(b.N)
			b.ReportMetric(beyond.Seconds()/n, "beyond-s/op")
			b.ReportMetric(cpu.Seconds()/n, "cpu-s/op")
			b.ReportMetric(100*beyond.Seconds()/n/60, "%of-60s-suite")
		})
	}
}

// waitingSuite is a repository whose last commit changes n files, with a suite
// that waits for a second and covers every line.
func waitingSuite(b *testing.B, n int) string {
	dir := b.TempDir()
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	var lcov strings.Builder
	sources := func(version int) {
		for i := range n {
			name := fmt.Sprintf("src/part%02d/f%04d.js", i%20, i)
			put(name, fmt.Sprintf("export function f(a, b) {\n  if (a > b) {\n    return a - %d;\n  }\n  return b;\n}\n", version))
			if version == 1 {
				fmt.Fprintf(&lcov, "SF:%s\nDA:1,1\nDA:2,1\nDA:3,1\nDA:5,1\nend_of_record\n", name)
			}
		}
	}
	sources(1)
	put("coverage.txt", lcov.String())
	put("suite.sh", "sleep 1\ncp coverage.txt lcov.info\nprintf '<testsuite name=\"s\"><testcase name=\"a\" classname=\"c\"/></testsuite>' > out.xml\n")
	command(b, dir, "git", "init", "-q", "-b", "main")
	for version := 1; version <= 2; version++ {
		sources(version)
		command(b, dir, "git", "add", "-A")
		command(b, dir, "git", "commit", "-q", "-m", "version")
	}
	return dir
}

// inSuites is the time that the sessions of an output directory spent in the
// test command.
func inSuites(b *testing.B, dir string) time.Duration {
	b.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*", "results", "baseline", "*", "measured.json"))
	if err != nil || len(names) != 1 {
		b.Fatalf("measurements: %v %v", names, err)
	}
	raw, err := os.ReadFile(names[0])
	if err != nil {
		b.Fatal(err)
	}
	type timed struct {
		Seconds float64 `json:"seconds"`
	}
	var m struct {
		Baseline struct {
			Head, Base timed
		} `json:"baseline"`
	}
	if err := json.Unmarshal(raw, &m); err != nil || m.Baseline.Head.Seconds < 1 || m.Baseline.Base.Seconds < 1 {
		b.Fatalf("%v in %s", err, raw)
	}
	return time.Duration((m.Baseline.Head.Seconds + m.Baseline.Base.Seconds) * float64(time.Second))
}

func command(b *testing.B, dir string, argv ...string) {
	b.Helper()
	abs, err := filepath.Abs(dir)
	if err != nil {
		b.Fatal(err)
	}
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	res, err := process.Run(b.Context(), process.Command{Argv: argv, Dir: abs, Env: env})
	if err != nil || res.ExitCode != 0 {
		b.Fatalf("%s: %v %d\n%s%s", argv[0], err, res.ExitCode, res.Stdout, res.Stderr)
	}
}

// childTime is the processor time of all programs that were waited for.
func childTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
