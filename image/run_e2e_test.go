package image

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// numbers is what a run must come to wherever it runs.
type numbers struct {
	Result  qa.Verdict
	Head    qa.Tally
	Failing []string
	Gates   []qa.Gate
	Patch   qa.Count
	Missing []qa.Missing
	Files   []qa.FileRow
}

func numbersOf(r *qa.Report) numbers {
	n := numbers{Result: r.Result, Head: r.Tests.Head, Gates: r.Gates, Files: r.Coverage.Files}
	for _, f := range r.Tests.Failing {
		n.Failing = append(n.Failing, string(f.Triage)+" "+f.Case.ID())
	}
	if p := r.Coverage.Patch; p != nil {
		n.Patch, n.Missing = p.Lines, p.Missing
	}
	return n
}

// TestSameAsOnTheHost runs the sample projects in the image as a workflow runner
// would, and on this machine, and compares.
func TestSameAsOnTheHost(t *testing.T) {
	need(t)
	program := build(t)
	for _, project := range []string{"vitest", "jest", "mocha", "pytest", "gotest"} {
		for want, change := range []string{"green", "failing"} { // by exit code
			t.Run(project+" "+change, func(t *testing.T) {
				j := newJob(t, project, change)
				code, log, report := j.run(t)
				if report == nil {
					t.Fatalf("exit code %d, no report\n%s", code, log)
				}
				t.Logf("%s\n%s", report.Manifest.Runtime, strings.Join(report.Manifest.Isolation, "\n"))
				if code != want {
					t.Errorf("exit code %d, want %d\n%s", code, want, log)
				}
				if strange := j.strangers(t); strange != nil {
					t.Errorf("not the runner's any more: %v", strange)
				}
				if status := j.status(); status != "" {
					t.Errorf("git status after the run: %q", status)
				}
				if line := spilled(log); line != "" {
					t.Errorf("the secret is in the log: %s", line)
				}
				host, image := numbersOf(onHost(t, program, project, change)), numbersOf(report)
				// The image has the engines; a machine that has not says so, and has no
				// findings to compare.
				without := func(g qa.Gate) bool { return g.Name == qa.GateFindings }
				if i := slices.IndexFunc(host.Gates, without); i >= 0 && strings.Contains(host.Gates[i].Reason, "is not installed") {
					t.Log(host.Gates[i].Reason)
					host.Gates, image.Gates = slices.DeleteFunc(host.Gates, without), slices.DeleteFunc(image.Gates, without)
				}
				if diff := cmp.Diff(host, image); diff != "" {
					t.Errorf("host against image (-host +image):\n%s", diff)
				}
			})
		}
	}
}

// status is what git says of the workspace, looked at without a trace. The
// report directory ignores itself.
func (j *job) status() string {
	return j.repo.Git("--no-optional-locks", "-c", "safe.directory=*", "status", "--porcelain")
}

// build compiles the program for this machine.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "qa")
	res, err := process.Run(t.Context(), process.Command{Argv: []string{"go", "build", "-o", path, "./cmd/qa"}, Dir: parent(t), Env: os.Environ()})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("build: %v\n%s", err, res.Stderr)
	}
	try(t, os.Chmod(filepath.Dir(path), 0o755))
	return path
}

func parent(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	try(t, err)
	return dir
}

func onHost(t *testing.T, program, project, change string) *qa.Report {
	t.Helper()
	repo := fixture.New(t, project)
	base := repo.Git("rev-parse", "HEAD")
	repo.Apply(change)
	repo.Commit(change)
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GITHUB_") || strings.HasPrefix(kv, "INPUT_") || strings.HasPrefix(kv, "RUNNER_")
	})
	res, err := process.Run(t.Context(), process.Command{Argv: []string{program, "run", "--quiet", "--base", base}, Dir: repo.Dir, Env: env, Timeout: 10 * time.Minute})
	try(t, err)
	r := newest(t, repo.Dir)
	if r == nil {
		t.Fatalf("no report of the host run: exit code %d\n%s", res.ExitCode, res.Stderr)
	}
	return r
}

// TestStopped stops the container while a test hangs, as the end of a job does:
// what is known by then is in the report.
func TestStopped(t *testing.T) {
	j := newJob(t, "mocha", "green")
	j.repo.Write("test/endless.spec.js", "it('hangs', function () { this.timeout(0); return new Promise((r) => setTimeout(r, 3e6)); });\n")
	j.repo.Commit("hang")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for started := false; !started; {
			select {
			case <-t.Context().Done():
				return
			case <-time.After(500 * time.Millisecond):
			}
			// The tests run once there is a node process with mocha in it.
			top, err := engine(t, t.Context(), j.engine, "top", j.name, "args")
			started = err == nil && strings.Contains(string(top.Stdout), "mocha")
		}
		time.Sleep(2 * time.Second)
		_, _ = engine(t, t.Context(), j.engine, "stop", "-t", "10", j.name)
	}()
	start := time.Now()
	code, log, report := j.run(t)
	<-done
	t.Logf("ended %.1f s after the start", time.Since(start).Seconds())
	if code == 0 || code == 1 || code == 137 {
		t.Errorf("exit code %d of a run that was stopped", code)
	}
	if report == nil {
		t.Fatalf("no report\n%s", log)
	}
	if !report.Partial || report.Result == qa.Pass {
		t.Errorf("result %s, partial %v; want a partial report", report.Result, report.Partial)
	}
	if strange := j.strangers(t); strange != nil {
		t.Errorf("not the runner's any more: %v", strange)
	}
}
