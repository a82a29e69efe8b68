package framework_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport"
	"github.com/org/qa-action/internal/testsupport/fixture"
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
func run(t *testing.T, dir string, d adapter.Detection, req adapter.Request) outcome {
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
	for name, text := range inv.Files {
		file := filepath.Join(req.OutDir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range slices.Concat(inv.Tests, inv.Coverage) { // of an earlier run
		for _, file := range glob(t, dir, inv.Dir, r.Path) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	res, err := process.Run(t.Context(), process.Command{
		Argv: inv.Argv, Dir: filepath.Join(dir, inv.Dir), Timeout: 3 * time.Minute,
		Env: append(append(environment(t), "GOFLAGS=-mod=readonly", "GOTOOLCHAIN=local",
			"GOPATH="+os.Getenv("GOPATH"), "GOMODCACHE="+filepath.Join(t.TempDir(), "mod")), inv.Env...),
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
		if found := glob(t, dir, inv.Dir, r.Path); len(found) > 0 {
			reports = append(reports, found...)
		} else {
			reports = append(reports, r.Path) // which is said
		}
	}
	for _, r := range inv.Coverage {
		profiles = append(profiles, glob(t, dir, inv.Dir, r.Path)...)
	}
	o.suite, err = testreport.Read(reports, testreport.Options{Root: dir})
	if err != nil {
		t.Logf("%q in %s: exit code %d: %v\n%s", inv.Argv, inv.Dir, res.ExitCode, err, o.tail)
	}
	a.Located(dir, d, req.Tests, o.suite.Cases)
	o.tally, o.problems = o.suite.Tally(), len(o.suite.Problems)
	if len(profiles) > 0 {
		o.coverage, err = coverage.Read(profiles, coverage.Options{Root: dir, Dir: d.Dir})
		if err != nil {
			t.Logf("%q: %v", inv.Argv, err)
		}
	}
	return o
}

// glob finds the files that a report's path names.
func glob(t *testing.T, dir, in, pattern string) []string {
	t.Helper()
	if !filepath.IsAbs(pattern) {
		pattern = filepath.Join(dir, in, pattern)
	}
	found, err := doublestar.FilepathGlob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// home is a home of the test's own. Go's telemetry is off in it: its child
// outlives the command and would write while the test clears up.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	mode := filepath.Join(dir, ".config", "go", "telemetry", "mode")
	if err := os.MkdirAll(filepath.Dir(mode), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mode, []byte("off 2026-01-01\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// environment is what a toolchain of this machine needs, in a home of the test's own.
func environment(t *testing.T) []string {
	t.Helper()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home(t), "GOCACHE=" + goCache(t)}
	for _, l := range language.All() {
		for _, h := range l.Tools.Homes {
			if dir := h.In(os.Getenv); h.Variable != "" {
				env = append(env, h.Variable+"="+dir)
			} else {
				for _, kv := range h.Set {
					env = append(env, strings.ReplaceAll(kv, "{own}", dir))
				}
			}
		}
	}
	return env
}

func goCache(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "go-build")
}

func detect(t *testing.T, dir, in, name string) adapter.Detection {
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
	return adapter.Detection{}
}

// adapters runs a test for every framework that has a sample project of its name.
func adapters(t *testing.T, test func(*testing.T, string, fixture.Expected)) {
	needsTools(t)
	t.Parallel()
	for _, name := range framework.Names() {
		if name == framework.Command.Name {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fixture.Expect(t, name)
			if !e.Runs() {
				t.Skip(e.Needs + " is not installed")
			}
			test(t, name, e)
		})
	}
}

func TestFixturesRun(t *testing.T) { fixturesRun(t, false) }

// TestSlowFixturesRun has the frameworks of which a start takes seconds.
func TestSlowFixturesRun(t *testing.T) { fixturesRun(t, true) }

func fixturesRun(t *testing.T, slow bool) {
	adapters(t, func(t *testing.T, name string, e fixture.Expected) {
		if e.Slow != slow {
			t.Skip("the other test has it")
		}
		repo := fixture.New(t, name)
		for change, o := range e.Changes {
			if !e.Plays(change) {
				continue
			}
			if change != "base" {
				repo.Apply(change)
			}
			want := expected{tally: o.Tally(), exit: o.Exit, problems: o.Problems, patch: qa.Count{Covered: o.Patch[0], Total: o.Patch[1]}, unmapped: o.Unmapped}
			d := detect(t, repo.Dir, "", name)
			o := run(t, repo.Dir, d, adapter.Request{Coverage: true})
			got := expected{tally: o.tally, exit: o.exit, problems: o.problems}
			got.patch, got.unmapped = patch(repo, o.coverage)
			if want.tally.Tests == 0 && want.problems == 0 || !d.Coverage { // nothing was measured either
				got.patch, got.unmapped = want.patch, want.unmapped
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(expected{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", change, diff, o.tail)
			}
			// Deno lets no program write below /dev, where memory may be mounted: there it
			// cannot remember that it ran.
			if change == "flaky" && !(name == "deno" && strings.HasPrefix(repo.Dir, "/dev/")) {
				if again := run(t, repo.Dir, detect(t, repo.Dir, "", name), adapter.Request{}); again.tally.Failed != 0 {
					t.Errorf("flaky: fails a second time: %+v", again.tally)
				}
			}
			repo.Git("checkout", "-q", "--", ".")
			repo.Git("clean", "-qfd")
			repo.Remove(".git/flaky-state")
		}
	})
}

// patch counts the changed executable lines of source files.
func patch(repo *fixture.Repo, cov *qa.Coverage) (count qa.Count, unmapped int) {
	file := ""
	var fc *qa.FileCoverage
	for _, line := range strings.Split(repo.Git("diff", "-U0", "HEAD"), "\n") {
		var start, n int
		if name, ok := strings.CutPrefix(line, "+++ b/"); ok {
			file, fc = name, cov.File(name)
			if fc == nil && !strings.Contains(file, "test") && !strings.Contains(file, "spec") {
				unmapped++
			}
		}
		_, hunk, ok := strings.Cut(line, " +")
		if !strings.HasPrefix(line, "@@ ") || !ok || fc == nil {
			continue
		}
		if _, err := fmt.Sscanf(hunk, "%d,%d", &start, &n); err != nil {
			n = 1
		}
		for _, l := range fc.Lines {
			if int(l.Line) >= start && int(l.Line) < start+n {
				count.Total++
				if l.Hits > 0 {
					count.Covered++
				}
			}
		}
	}
	return count, unmapped
}

func TestMonorepoRuns(t *testing.T) {
	needsTools(t)
	t.Parallel()
	repo := fixture.New(t, "monorepo")
	for change, want := range monorepo {
		if change != "base" {
			repo.Apply(change)
		}
		found, err := framework.Detect(repo.Dir, "")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]expected{}
		for _, d := range found {
			o := run(t, repo.Dir, d, adapter.Request{Coverage: true})
			e := expected{tally: o.tally, exit: o.exit, problems: o.problems}
			e.patch, _ = patch(repo, o.coverage)
			got[d.Dir] = e
			if o.coverage == nil {
				if o.problems == 0 {
					t.Errorf("%s %s: no coverage\n%s", change, d.Dir, o.tail)
				}
				continue
			}
			for _, f := range o.coverage.Files {
				if !strings.HasPrefix(f.Path, d.Dir+"/") {
					t.Errorf("%s: coverage of %s", d.Dir, f.Path)
				}
			}
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(expected{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", change, diff)
		}
		repo.Git("checkout", "-q", "--", ".")
		repo.Git("clean", "-qfd")
	}
}

// TestRequests runs every kind of request on every sample project; of a slow one make
// deep runs those that the others have as well. The command that a report tells people to
// reproduce a test with is held to a shell.
func TestRequests(t *testing.T) {
	adapters(t, func(t *testing.T, name string, e fixture.Expected) {
		repo := fixture.New(t, name)
		d := detect(t, repo.Dir, "", name)
		a, err := framework.For(name)
		if err != nil {
			t.Fatal(err)
		}
		all := run(t, repo.Dir, d, adapter.Request{})
		if all.coverage != nil {
			t.Error("coverage was measured without being asked for")
		}
		total := all.tally.Tests
		few := e.Slow && !fixture.Deep()
		for what, req := range map[string]adapter.Request{
			"shuffled": {Shuffle: true, Seed: 7},
			"parallel": {Parallel: 2},
		} {
			if few {
				continue
			}
			if o := run(t, repo.Dir, d, req); o.exit != 0 || o.tally.Passed != total {
				t.Errorf("%s: exit code %d, %+v, want %d passed\n%s", what, o.exit, o.tally, total, o.tail)
			}
		}
		if !few {
			o := run(t, repo.Dir, d, adapter.Request{Related: []string{e.Related.Source}})
			if o.exit != 0 || o.tally.Passed != e.Related.Tests {
				t.Errorf("related to %s: exit code %d, %+v, want %d passed\n%s", e.Related.Source, o.exit, o.tally, e.Related.Tests, o.tail)
			}
		}
		// Some tests alone (their names have spaces, brackets, slashes and
		// other letters), and all by name. Of a slow project the line below plays one alone.
		for i, c := range all.suite.Cases {
			if last := len(all.suite.Cases) - 1; few || i != last && i%3 != 0 {
				continue
			}
			// Surefire selects a method with all of its parameters: "name(int)[2]".
			one := func(n int) bool { return n == 1 || n > 1 && strings.Contains(c.Name, ")[") }
			if o := run(t, repo.Dir, d, adapter.Request{Tests: adapter.Select([]qa.Case{c})}); o.exit != 0 || !one(o.tally.Executed()) || !ran(o.suite, c) {
				t.Errorf("alone: %s: exit code %d, %+v\n%s", c.ID(), o.exit, o.tally, o.tail)
			}
		}
		if o := run(t, repo.Dir, d, adapter.Request{Tests: adapter.Select(all.suite.Cases), Coverage: true}); o.tally.Passed != total || o.coverage == nil && d.Coverage {
			t.Errorf("all by name: %+v, want %d passed with coverage\n%s", o.tally, total, o.tail)
		}
		line := a.Reproduce(d, all.suite.Cases[total-1])
		res, err := process.Run(t.Context(), process.Command{Argv: []string{"sh", "-c", line}, Dir: repo.Dir, Env: append(environment(t), "CI=true")})
		if err != nil || res.ExitCode != 0 {
			t.Errorf("%s: exit code %d, %v\n%s%s", line, res.ExitCode, err, res.Stdout, res.Stderr)
		}
		if few || a.Habits.SuiteProblems {
			return // its reports name suites, not files
		}
		if o := run(t, repo.Dir, d, adapter.Request{Tests: []adapter.Selected{{File: all.suite.Cases[0].File}}}); o.exit != 0 || o.tally.Executed() == 0 {
			t.Errorf("one file: exit code %d, %+v\n%s", o.exit, o.tally, o.tail)
		}
	})
}

func ran(s qa.Suite, want qa.Case) bool {
	for _, c := range s.Cases {
		if c.ID() == want.ID() && c.Status == qa.Passed {
			return true
		}
	}
	return false
}
