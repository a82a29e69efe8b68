package framework_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/fixture"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport"
)

func needsTools(t *testing.T) {
	t.Helper()
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 to run the frameworks themselves")
	}
}

// outcome is what a run left.
type outcome struct {
	tally    qa.Tally
	problems int
	exit     int
	suite    qa.Suite
	coverage *qa.Coverage
	tail     string
	stderr   string
}

// run carries an invocation out in the repository and reads its reports.
func run(t *testing.T, dir string, d framework.Detection, req framework.Request) outcome {
	t.Helper()
	a, err := framework.For(d.Framework)
	if err != nil {
		t.Fatal(err)
	}
	req.OutDir = t.TempDir()
	inv, err := a.Invocation(d, req)
	if err != nil {
		t.Fatal(err)
	}
	res, err := process.Run(t.Context(), process.Command{
		Argv: inv.Argv, Dir: filepath.Join(dir, inv.Dir), Timeout: 3 * time.Minute,
		Env: append([]string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GOCACHE=" + goCache(t), "GOFLAGS=-mod=readonly", "GOTOOLCHAIN=local",
			"GOPATH=" + os.Getenv("GOPATH"), "GOMODCACHE=" + filepath.Join(t.TempDir(), "mod"),
		}, inv.Env...),
	})
	if err != nil {
		t.Fatalf("%q: %v", inv.Argv, err)
	}
	o := outcome{exit: res.ExitCode, stderr: string(res.Stderr), tail: string(res.Stdout) + string(res.Stderr)}
	var reports, profiles []string
	for _, r := range inv.Tests {
		if r.Stdout {
			r.Path = filepath.Join(req.OutDir, "stdout.report")
			if err := os.WriteFile(r.Path, res.Stdout, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		reports = append(reports, r.Path)
	}
	for _, r := range inv.Coverage {
		if _, err := os.Stat(r.Path); err == nil {
			profiles = append(profiles, r.Path)
		}
	}
	o.suite, err = testreport.Read(reports, testreport.Options{Root: dir})
	if err != nil {
		t.Logf("%q in %s: exit code %d: %v\n%s", inv.Argv, inv.Dir, res.ExitCode, err, o.tail)
	}
	o.tally, o.problems = o.suite.Tally(), len(o.suite.Problems)
	if len(profiles) > 0 {
		o.coverage, err = coverage.Read(profiles, coverage.Options{Root: dir, Dir: d.Dir})
		if err != nil {
			t.Logf("%q: %v", inv.Argv, err)
		}
	}
	return o
}

func goCache(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "go-build")
}

func detect(t *testing.T, dir, in, name string) framework.Detection {
	t.Helper()
	found, err := framework.Detect(dir, in)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found {
		if d.Framework == name {
			return d
		}
	}
	t.Fatalf("%s not among %+v", name, found)
	return framework.Detection{}
}

func TestFixturesRun(t *testing.T) {
	needsTools(t)
	for _, name := range []string{"vitest", "jest", "mocha", "pytest", "gotest"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := fixture.New(t, name)
			for _, change := range []string{"", "green", "failing", "uncovered", "flaky", "broken"} {
				if change != "" {
					repo.Apply(change)
				}
				o := run(t, repo.Dir, detect(t, repo.Dir, "", name), framework.Request{Coverage: true})
				t.Logf("%s %s: exit %d %+v problems %d", name, change, o.exit, o.tally, o.problems)
				if o.coverage != nil {
					for _, f := range o.coverage.Files {
						t.Logf("  %s %v", f.Path, *f.LineCount)
					}
				}
				repo.Git("checkout", "-q", "--", ".")
				repo.Git("clean", "-qfd")
			}
		})
	}
}
