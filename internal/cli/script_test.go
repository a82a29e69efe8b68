package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func TestMain(m *testing.M) {
	if handled, code := runtime.MaybeSandbox(os.Args); handled {
		syscall.Exit(code) // os.Exit waits for a second under the race detector
	}
	testscript.Main(m, map[string]func(){"qa": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		code := Main(ctx, Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}, os.Args[1:])
		stop()
		os.Exit(code)
	}})
}

// TestScripts runs whole command lines: testdata/script/*.txtar need nothing
// but git, testdata/script/e2e/*.txtar the sample projects, Python or time.
func TestScripts(t *testing.T) {
	t.Parallel()
	scripts(t, "*.txtar")
}

// scripts plays the scripts of a pattern. Their programs are built as the test is, and
// three to five times as slow under the race detector: one of them is enough there, and
// they are all played without it.
func scripts(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts match %s: %v", pattern, err)
	}
	if fixture.Raced() {
		files = fixture.Some(files, 1)
	}
	runScripts(t, files)
}

func runScripts(t *testing.T, files []string) {
	t.Helper()
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Files:         []string{file},
				UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"fixture": func(ts *testscript.TestScript, _ bool, args []string) { project(t, ts, args) },
					"model":   func(ts *testscript.TestScript, _ bool, args []string) { model(t, ts, args) },
					"commit":  func(ts *testscript.TestScript, _ bool, args []string) { commit(ts, args) },
					"valid":   func(ts *testscript.TestScript, _ bool, args []string) { valid(t, ts, args) },
					"want":    want,
					"code":    code,
				},
				Condition: condition,
				Setup: func(e *testscript.Env) error {
					for _, name := range []string{"GOPROXY", "GOFLAGS", "GOTOOLCHAIN", "GOSUMDB", "SSL_CERT_FILE", "SSL_CERT_DIR",
						"PIP_INDEX_URL", "PIP_FIND_LINKS", "PIP_CERT", "UV_DEFAULT_INDEX", "NPM_CONFIG_REGISTRY",
						// In a run of this project on itself no toolchain lies in the home directory.
						"RUSTUP_HOME", "CARGO_HOME"} {
						if v, set := os.LookupEnv(name); set {
							e.Setenv(name, v)
						}
					}
					// With this, node reads all authorities of the machine whenever it starts, which
					// takes four times as long as the start itself: scripts that download say so.
					e.Setenv("AUTHORITIES", os.Getenv("NODE_EXTRA_CA_CERTS"))
					projects, err := filepath.Abs(filepath.Join("..", "..", "testdata", "repo"))
					if err != nil {
						return err
					}
					e.Setenv("PROJECTS", projects) // what is installed for the samples
					// Interpreters may live in the home directory.
					e.Setenv("HOME", os.Getenv("HOME"))
					// The race detector would wait a second at the end of each program.
					e.Setenv("GORACE", "atexit_sleep_ms=0")
					// Not below the repository, where it would be an untracked file.
					e.Setenv("TMPDIR", os.TempDir())
					e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
					for _, who := range []string{"AUTHOR", "COMMITTER"} {
						e.Setenv("GIT_"+who+"_NAME", "qa")
						e.Setenv("GIT_"+who+"_EMAIL", "qa@example.invalid")
					}
					// Toolchains and package caches are shared between scripts.
					e.Setenv("RUNNER_TEMP", fixture.Cache())
					return nil
				},
			})
		})
	}
}

// condition has those beyond testscript's own. What starts cargo may find no toolchain.
func condition(name string) (bool, error) {
	switch name {
	case "deep":
		return fixture.Deep(), nil
	case "cargo":
		return exec.Command("cargo", "--version").Run() == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// project puts a sample project in place: fixture NAME [CHANGE]. The base is
// committed on main, the change on a branch.
func project(t *testing.T, ts *testscript.TestScript, args []string) {
	if len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage: fixture name [change]")
	}
	repo := fixture.New(t, args[0])
	if len(args) == 2 {
		repo.Git("checkout", "-q", "-b", "feature")
		repo.Apply(args[1])
		repo.Commit(args[1])
	}
	ts.Check(ts.Chdir(repo.Dir))
}

// commit lays the files of one or more folders over the repository $WORK/repo,
// commits everything and stays there: commit DIR... The first one makes it.
func commit(ts *testscript.TestScript, dirs []string) {
	if len(dirs) == 0 {
		ts.Fatalf("usage: commit dir...")
	}
	work := ts.Getenv("WORK")
	repo := filepath.Join(work, "repo")
	ts.Check(os.MkdirAll(repo, 0o755))
	ts.Check(ts.Chdir(repo))
	if _, err := os.Stat(filepath.Join(repo, ".git")); err != nil {
		ts.Check(ts.Exec("git", "init", "-q", "-b", "main"))
	}
	for _, dir := range dirs {
		ts.Check(ts.Exec("cp", "-r", filepath.Join(work, dir)+"/.", repo))
	}
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "commit", "-q", "-m", strings.Join(dirs, " ")))
}

// want compares values of the newest report.json: want PATH VALUE, where a
// path is keys and indices joined by dots, and len:PATH is a length.
func want(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: want path value")
	}
	raw, err := os.ReadFile(newest(ts))
	ts.Check(err)
	agrees(ts, raw)
	var value any
	ts.Check(json.Unmarshal(raw, &value))
	path, length := strings.CutPrefix(args[0], "len:")
	for _, key := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[key]
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(v) {
				ts.Fatalf("%s: no element %q in %d", args[0], key, len(v))
			}
			value = v[n]
		default:
			ts.Fatalf("%s: nothing at %q in %v", args[0], key, value)
		}
	}
	got := fmt.Sprint(value)
	if length {
		list, _ := value.([]any)
		got = strconv.Itoa(len(list))
	}
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}

// agrees makes sure that a report which a run wrote is one that qa report takes.
func agrees(ts *testscript.TestScript, raw []byte) {
	r, err := reporter.Parse(raw)
	ts.Check(err)
	ts.Check(quality.Verify(r))
}

// newest is the report.json that was written last.
func newest(ts *testscript.TestScript) string {
	files, err := filepath.Glob(ts.MkAbs("qa-report/*/report.json"))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("there is no report.json")
	}
	slices.SortFunc(files, func(a, b string) int {
		return written(ts, a).Compare(written(ts, b))
	})
	return files[len(files)-1]
}

// valid holds the JSON files of the newest session to their published schemas:
// valid FILE..., which names those that must be among them.
func valid(t *testing.T, ts *testscript.TestScript, args []string) {
	raw, err := os.ReadFile(newest(ts))
	ts.Check(err)
	agrees(ts, raw)
	seen := fixture.Valid(t, filepath.Dir(newest(ts)))
	for _, name := range args {
		if !slices.Contains(seen, name) {
			ts.Fatalf("%s was not written, only %v", name, seen)
		}
	}
}

// written is when a file was.
func written(ts *testscript.TestScript, name string) time.Time {
	info, err := os.Stat(name)
	ts.Check(err)
	return info.ModTime()
}

// code runs a command and compares its exit code: code N qa run.
func code(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: code n command args...")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit interface{ ExitCode() int }
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}
