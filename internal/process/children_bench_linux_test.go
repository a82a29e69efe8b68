package process

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// BenchmarkChildren looks for the children of a program with as many threads as a test
// runner has; the keeper of a sandbox does so for each process of a suite, several times
// a second. Reported is processor time.
func BenchmarkChildren(b *testing.B) {
	cmd := exec.CommandContext(b.Context(), "sleep", "60")
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	used := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return u.Utime.Nano() + u.Stime.Nano()
	}
	for b.Loop() {
		before := used()
		const times = 200
		for range times {
			if len(Children(os.Getpid())) == 0 {
				b.Fatal("no child is seen")
			}
		}
		b.ReportMetric(float64(used()-before)/times/1000, "cpu-µs")
	}
}
