package scan

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/scan/linter"
)

// program answers every run of a program with one result.
func program(res process.Result, err error) func(context.Context, process.Command) (process.Result, error) {
	return func(context.Context, process.Command) (process.Result, error) { return res, err }
}

func anyTool(name string) (string, error) { return "/usr/bin/" + name, nil }

func rowOf(t testing.TB, res finding.Result, name string) qa.Engine {
	t.Helper()
	for _, e := range res.Engines {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no row for engine %s in %+v", name, res.Engines)
	return qa.Engine{}
}

// TestOneEngineCostsOnlyItself gives programs every way to go wrong while an
// engine beside them has something to say.
func TestOneEngineCostsOnlyItself(t *testing.T) {
	t.Parallel()
	huge := bytes.Repeat([]byte(`{"code":"SA1000","location":{"file":"a.go","line":1},"message":"x"}`+"\n"), 20000)
	for name, tc := range map[string]struct {
		exec   func(context.Context, process.Command) (process.Result, error)
		tool   func(string) (string, error)
		state  string
		reason string
	}{
		"prints garbage":      {exec: program(process.Result{Stdout: []byte("\x00\xffsegfault")}, nil), state: "failed", reason: "read the report of staticcheck"},
		"prints half an line": {exec: program(process.Result{Stdout: []byte(`{"code":"SA1000","loc`)}, nil), state: "failed", reason: "unexpected end of JSON"},
		"prints too much":     {exec: program(process.Result{Truncated: true}, nil), state: "failed", reason: "output is over 64 MiB"},
		"reports too much":    {exec: program(process.Result{Stdout: huge}, nil), state: "failed", reason: "only the first 5000 are kept"},
		"is killed":           {exec: program(process.Result{ExitCode: -1, Signal: "killed"}, nil), state: "failed", reason: "killed by killed"},
		"fails silently":      {exec: program(process.Result{ExitCode: 2}, nil), state: "failed", reason: "exit code 2"},
		"is not there": {exec: program(process.Result{}, nil), tool: func(string) (string, error) { return "", process.ErrNotFound }, state: "missing",
			reason: "install it with: go install honnef.co/go/tools/cmd/staticcheck@v0.8.2"},
		"cannot be started": {exec: program(process.Result{}, errors.New("permission denied")), state: "failed", reason: "permission denied"},
		"hangs": {exec: func(ctx context.Context, _ process.Command) (process.Result, error) {
			<-ctx.Done()
			return process.Result{}, ctx.Err()
		}, state: "timeout", reason: "stopped after 300ms"},
		"crashes us": {exec: func(context.Context, process.Command) (process.Result, error) { panic("boom") }, state: "failed", reason: "crashed: boom"},
		"lacks modules": {exec: program(process.Result{ExitCode: 1, Stdout: []byte(`{"code":"compile","message":"could not import example.com/x (no required module provides it)"}`)}, nil),
			state: "failed", reason: "download the modules first"},
		"is too old for the module": {exec: program(process.Result{ExitCode: 1, Stderr: []byte("err: go: go.mod requires go >= 1.99 (running go 1.26)\n")}, nil),
			state: "failed", reason: "install that version of Go"},
		"says nothing and fails": {exec: program(process.Result{ExitCode: 1}, nil), state: "failed", reason: "no findings and a failing exit code"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			write(t, root, "go.mod", "module example.com/a\n")
			write(t, root, "a.go", "package a\n\nconst key = \"AK"+"IAQ3EGRT7LWPXZ5NVC\"\n")
			req := request(t, root)
			req.Engines, req.Exec, req.ToolPath, req.Timeout = []string{"staticcheck", "secrets"}, tc.exec, tc.tool, time.Hour
			if tc.tool == nil {
				req.ToolPath = anyTool
			}
			if name == "hangs" {
				req.Engines = []string{"staticcheck"}
				req.Timeout = 300 * time.Millisecond
			}
			res, err := Run(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if row := rowOf(t, res, "staticcheck"); row.State != tc.state || !strings.Contains(row.Reason, tc.reason) {
				t.Errorf("%+v, want %s because of %q", row, tc.state, tc.reason)
			} else if row.Gap != "1 Go file" {
				t.Errorf("%+v: nobody else looked at the file", row)
			}
			if name == "hangs" {
				return
			}
			if row := rowOf(t, res, "secrets"); row.State != "ran" || row.Findings != 1 {
				t.Errorf("the engine beside it: %+v", row)
			}
		})
	}
}

// What the repository is configured for and did not install is told with the command of
// its own package manager.
func TestHowTheRepositorysToolsAreInstalled(t *testing.T) {
	t.Parallel()
	for lock, want := range map[string]string{
		"pnpm-lock.yaml": "with: pnpm install --frozen-lockfile", "web/yarn.lock": "with: cd web && yarn install --frozen-lockfile", "package-lock.json": "with: npm ci", "x": "with: npm install",
	} {
		root := t.TempDir()
		for _, name := range []string{lock, "eslint.config.mjs", "web/a.js"} {
			write(t, root, name, "export default [];\n")
		}
		req := request(t, root)
		req.Engines, req.ToolPath = []string{"eslint"}, func(string) (string, error) { return "", process.ErrNotFound }
		res, err := Run(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if row := rowOf(t, res, "eslint"); !strings.HasSuffix(row.Reason, want) {
			t.Errorf("%s: %q, want %q", lock, row.Reason, want)
		}
	}
}

func TestAnEngineThatIgnoresItsContextIsLeftBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		e := engine.Engine{Name: "stuck", Run: func(context.Context, *engine.Pass) ([]engine.Hit, error) { <-release; return nil, nil }}
		s := &slot{engine: e, row: qa.Engine{Name: "stuck"}}
		s.pass = &engine.Pass{}
		start := time.Now()
		s.run(t.Context(), time.Minute)
		if took := time.Since(start); took != time.Minute+grace || s.row.State != "timeout" {
			t.Errorf("%+v after %s", s.row, took)
		}
	})
}

func TestWhatStoodOnBaseIsNotNew(t *testing.T) {
	t.Parallel()
	// The change inserts a second comparison above the first and indents the first.
	base := "export function a(x) {\n  return x === NaN;\n}\n"
	head := "export function a(x) {\n  return x === NaN;\n    return x === NaN;\n}\n"
	req := changed(t, "old/name.js", head, qa.Range{Start: 2, End: 3})
	req.Change.Files[0].OldPath, req.Change.Files[0].Status = "old.js", qa.Renamed
	req.Base = func(path string) ([]byte, error) {
		if path != "old.js" {
			return nil, fs.ErrNotExist
		}
		return []byte(base), nil
	}
	req.Engines = []string{"esbuild"}
	res, err := Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	status := map[int]qa.FindingStatus{}
	for _, f := range res.Findings {
		status[f.Lines.Start] = f.Status
	}
	// Both lines are written by the change; which of two equal ones is the old
	// one cannot be told, that there is one more can.
	if diff := cmp.Diff(map[int]qa.FindingStatus{2: qa.StatusKnown, 3: qa.StatusNew}, status); diff != "" {
		t.Error(diff)
	}
}

// TestProgramsSeeBaseFilesUnderTheirHeadNames checks the directory that is laid
// out for a program that compares.
func TestProgramsSeeBaseFilesUnderTheirHeadNames(t *testing.T) {
	t.Parallel()
	req := changed(t, "pkg/app.py", "import os\nimport sys\n", qa.Range{Start: 2, End: 2})
	write(t, req.AbsRoot, "ruff.toml", "line-length = 100\n")
	req.Base = func(string) ([]byte, error) { return []byte("import os\n"), nil }
	req.Engines, req.ToolPath = []string{"ruff"}, anyTool
	var seen []string
	req.Exec = func(_ context.Context, c process.Command) (process.Result, error) {
		if c.Argv[1] == "--version" {
			return process.Result{Stdout: []byte("ruff 0.17.5\n")}, nil
		}
		if c.Dir != req.AbsRoot {
			src, err := os.ReadFile(filepath.Join(c.Dir, "pkg/app.py"))
			if err != nil || string(src) != "import os\n" {
				t.Errorf("%q %v", src, err)
			}
			if _, err := os.Stat(filepath.Join(c.Dir, "ruff.toml")); err != nil {
				t.Error(err)
			}
		}
		seen = append(seen, c.Dir)
		return process.Result{Stdout: []byte(`[{"code":"F401","message":"os unused","filename":"` + c.Dir + `/pkg/app.py","location":{"row":1,"column":1},"end_location":{"row":1,"column":9}}]`)}, nil
	}
	res, err := Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if f := one(t, res); f.Status != qa.StatusKnown {
		t.Errorf("%+v", f)
	}
	if row := rowOf(t, res, "ruff"); row.Version != "0.17.5" {
		t.Errorf("%+v", row)
	}
	if len(seen) != 4 { // our rules and theirs, on head and on base
		t.Errorf("runs in %q", seen)
	}
	if _, err := os.Stat(seen[3]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the base files were left behind in %s", seen[3])
	}
}

func TestOwnRulesOfTheRepositoryWin(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "eslint.config.mjs", "export default [];\n")
	write(t, root, "a.js", "debugger;\neval(x);\n")
	req := request(t, root)
	req.Change.Files = req.Change.Files[:1]
	req.Engines, req.ToolPath = []string{"oxlint", "eslint", "esbuild"}, anyTool
	req.Exec = func(_ context.Context, c process.Command) (process.Result, error) {
		if strings.HasSuffix(c.Argv[0], "eslint") {
			return process.Result{Stdout: []byte(`[]`)}, nil
		}
		return process.Result{Stdout: []byte(`{"diagnostics":[
			{"message":"no debugger","code":"eslint(no-debugger)","filename":"a.js","labels":[{"span":{"line":1,"column":1}}]},
			{"message":"no eval","code":"eslint(no-eval)","filename":"a.js","labels":[{"span":{"line":2,"column":1}}]}]}`)}, nil
	}
	res, err := Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if f := one(t, res); f.Rule.ID != "esbuild/direct-eval" && f.Rule.ID != "oxlint/no-eval" {
		t.Errorf("%+v", f)
	}
	if row := rowOf(t, res, "oxlint"); !strings.Contains(row.Reason, "own eslint rules") {
		t.Errorf("%+v", row)
	}
}

func TestNoFileNameIsAFlag(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "--config=evil.js", "export {};\n")
	write(t, root, "-x.py", "x = 1\n")
	req := request(t, root)
	req.ToolPath = anyTool
	var ran atomic.Int32
	req.Exec = func(_ context.Context, c process.Command) (process.Result, error) {
		ran.Add(1)
		for _, arg := range c.Argv {
			if strings.Contains(arg, "evil") && !strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "-x") {
				t.Errorf("%q", c.Argv)
			}
		}
		return process.Result{}, nil
	}
	if _, err := Run(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if ran.Load() == 0 {
		t.Error("no program was run")
	}
}

func TestWrongRequests(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*Request)
		want   string
	}{
		"unknown engine":  {func(r *Request) { r.Engines = []string{"eslnit"} }, `unknown engine "eslnit", valid engines are ` + strings.Join(Names(), ", ")},
		"bad dismissals":  {func(r *Request) { r.Dismissals = []byte("dismissals:\n  - fingerprint: x\n") }, "line 2"},
		"bad exclude":     {func(r *Request) { r.Exclude = []string{"["} }, "not a valid glob"},
		"no working copy": {func(r *Request) { r.AbsRoot = "/does/not/exist" }, "open the working copy"},
		"bad linter":      {func(r *Request) { r.Linters = []linter.Linter{{Name: "x", Command: []string{"x"}, Format: "nope"}} }, `unknown format "nope", known formats are`},
		"linter without a way to read it": {func(r *Request) { r.Linters = []linter.Linter{{Name: "x", Command: []string{"x"}}} },
			"it needs format (a known name), errorformat (own patterns) or report (SARIF)"},
		"linter with a taken name": {func(r *Request) {
			r.Linters = []linter.Linter{{Name: "ruff", Command: []string{"x"}, Format: "flake8"}}
		}, "the name is taken"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := request(t, t.TempDir())
			tc.change(&req)
			if _, err := Run(t.Context(), req); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

func TestPerspectives(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "a.ts", "export const a = 1;\n")
	req := request(t, root)
	req.Perspectives, req.ToolPath = []qa.Perspective{qa.TestCoverage}, func(string) (string, error) { return "", process.ErrNotFound }
	res, err := Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if row := rowOf(t, res, "secrets"); row.State != "skipped" {
		t.Errorf("%+v", row)
	}
	if row := rowOf(t, res, "coverage-gap"); row.State != "skipped" || row.Reason != "coverage was not measured" {
		t.Errorf("%+v", row)
	}
	if row := rowOf(t, res, "oxlint"); row.State != "missing" || !strings.Contains(row.Reason, "npm install") {
		t.Errorf("%+v", row)
	}
}

func TestEveryPerspectiveNeedsNoModel(t *testing.T) {
	t.Parallel()
	for _, p := range qa.Perspectives() {
		found := false
		for _, name := range Names() {
			e, err := engineNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			found = found || e.Run != nil && overlap(e.Perspectives, []qa.Perspective{p})
		}
		if !found {
			t.Errorf("no engine speaks to %s", p)
		}
	}
}

func TestCancelledScan(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "a.py", "x = 1\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, request(t, root)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
