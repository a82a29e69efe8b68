package runtime

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/tree"
)

// TestMain lets the test binary be its own sandbox helper.
func TestMain(m *testing.M) {
	if handled, exit := MaybeSandbox(os.Args); handled {
		syscall.Exit(exit) // os.Exit waits for a second under the race detector
	}
	os.Exit(m.Run())
}

// repo makes a checkout with two commits: in the first, file says base, in the
// second head.
func repo(t *testing.T) (root, base string) {
	t.Helper()
	return repoIn(t, t.TempDir())
}

func repoIn(t *testing.T, dir string) (root, base string) {
	t.Helper()
	root = filepath.Join(dir, "repo")
	put(t, root, map[string]string{"file": "base\n", "sub/keep": "k\n", ".gitignore": "node_modules\n.venv\n"})
	git(t, root, "init", "-q", "-b", "main")
	git(t, root, "config", "user.email", "dev@example.com")
	git(t, root, "config", "user.name", "dev")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "base")
	base = git(t, root, "rev-parse", "HEAD")
	put(t, root, map[string]string{"file": "head\n"})
	git(t, root, "commit", "-q", "-a", "-m", "head")
	return root, base
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	res, err := process.Run(t.Context(), process.Command{Argv: append([]string{"git"}, args...), Dir: dir,
		Env: append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("git %v: %v\n%s%s", args, err, res.Stdout, res.Stderr)
	}
	return strings.TrimSpace(string(res.Stdout))
}

func put(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func open(t *testing.T, o Options) *Workspace {
	t.Helper()
	if o.Driver == "" {
		o.Driver = "host"
	}
	if o.Cache == "" {
		o.Cache = t.TempDir()
	}
	if o.Env == nil { // what npm fetched for others on this machine is no business of a test
		o.Env = append(os.Environ(), "npm_config_cache="+t.TempDir())
	}
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(w.box.Place.Home); !os.IsNotExist(err) {
			t.Errorf("workspace is still there: %v", err)
		}
	})
	return w
}

func run(t *testing.T, w *Workspace, argv ...string) string {
	t.Helper()
	res, err := w.Run(t.Context(), Command{Argv: argv})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("%v: exit %d, %v\n%s%s", argv, res.ExitCode, err, res.Stdout, res.Stderr)
	}
	return string(res.Stdout)
}

func TestHeadAndBase(t *testing.T) {
	root, baseSHA := repo(t)
	before, err := tree.DigestOf(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, Options{Root: root})
	if got := run(t, w, "cat", "file"); got != "head\n" {
		t.Errorf("head file = %q", got)
	}
	if got := run(t, w, "git", "status", "--porcelain"); got != "" {
		t.Errorf("git status in the copy: %q", got)
	}
	if got := run(t, w, "git", "log", "--format=%s"); got != "head\nbase\n" {
		t.Errorf("git log in the copy: %q", got)
	}
	b, err := w.At(t.Context(), baseSHA)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	if got := run(t, b, "cat", "file"); got != "base\n" {
		t.Errorf("base file = %q", got)
	}
	if got := run(t, b, "git", "log", "--format=%H"); got != baseSHA+"\n" {
		t.Errorf("base HEAD = %q", got)
	}
	run(t, w, "git", "commit", "-q", "--allow-empty", "-m", "from a test", "--author=a <a@example.com>")
	run(t, w, "rm", "-rf", "file", "sub")
	after, err := tree.DigestOf(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the checkout changed:\n%s", diff)
	}
	if log := git(t, root, "log", "--format=%s"); log != "head\nbase" {
		t.Errorf("the checkout's history changed: %q", log)
	}
}

// Package managers move files between directories.
func TestMoveBetweenDirectories(t *testing.T) {
	root, _ := repo(t)
	w := open(t, Options{Root: root})
	run(t, w, "git", "mv", "file", "sub/moved")
	run(t, w, "ln", "sub/moved", "linked")
	res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", `echo x > "$TMPDIR/x" && ln "$TMPDIR/x" "$HOME/x" && mkdir "$HOME/d" && ln "$HOME/x" "$HOME/d/x"`}})
	if err != nil || res.ExitCode != 0 {
		t.Errorf("exit %d, %v\n%s", res.ExitCode, err, res.Stderr)
	}
}

func TestAtUnknownCommitNamesTheCure(t *testing.T) {
	root, _ := repo(t)
	w := open(t, Options{Root: root})
	_, err := w.At(t.Context(), strings.Repeat("1", 40))
	if err == nil || !strings.Contains(err.Error(), "fetch-depth: 0") {
		t.Errorf("err = %v", err)
	}
}

func TestGitConfigKeepsNoSecret(t *testing.T) {
	root, _ := repo(t)
	put(t, root, map[string]string{".git/config": `[core]
	repositoryformatversion = 0
	hooksPath = /evil
	fsmonitor = /evil
[http "https://example.com/"]
	extraheader = AUTHORIZATION: basic c2VjcmV0
[includeIf "gitdir:/x"]
	path = /credentials
[remote "origin"]
	url = https://user:secret@example.com/o/r
	fetch = +refs/heads/*:refs/remotes/origin/*
[filter "lfs"]
	smudge = evil
[user]
	name = dev
`})
	w := open(t, Options{Root: root})
	got, err := os.ReadFile(filepath.Join(w.Dir(), ".git", "config"))
	if err != nil {
		t.Fatal(err)
	}
	want := `[core]
	repositoryformatversion = 0
[remote "origin"]
	url = https://example.com/o/r
	fetch = +refs/heads/*:refs/remotes/origin/*
[user]
	name = dev
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("config of the copy (-want +got):\n%s", diff)
	}
}

func TestEnvironment(t *testing.T) {
	root, _ := repo(t)
	w := open(t, Options{Root: root,
		Env: []string{"PATH=" + os.Getenv("PATH"), "GITHUB_TOKEN=ghs_1", "INPUT_MODEL-API-KEY=k", "ACTIONS_RUNTIME_TOKEN=t",
			"GITHUB_OUTPUT=/f", "SECRET=s", "DATABASE_URL=postgres://db/x", "TZ=UTC", "LC_ALL=C",
			"https_proxy=http://me:hunter22@proxy:3128"}})
	res, err := w.Run(t.Context(), Command{Argv: []string{"env"}, Env: []string{"EXTRA=1", "GITHUB_ENV=/f"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(res.Stdout)) {
		name, _, _ := strings.Cut(line, "=")
		names = append(names, name)
	}
	want := "CI EXTRA GIT_TERMINAL_PROMPT GOCACHE GOMODCACHE HOME LC_ALL LOGNAME PATH PIP_CACHE_DIR " +
		"PYTHONNOUSERSITE TMPDIR TZ USER UV_CACHE_DIR YARN_CACHE_FOLDER https_proxy npm_config_cache pnpm_config_verify_deps_before_run"
	if diff := cmp.Diff(strings.Fields(want), names); diff != "" {
		t.Errorf("environment (-want +got):\n%s\n%s", diff, res.Stdout)
	}
	if bytes.Contains(res.Stdout, []byte("hunter22")) || !bytes.Contains(res.Stdout, []byte("http://proxy:3128")) {
		t.Errorf("proxy: %s", res.Stdout)
	}
}

func TestRunErrors(t *testing.T) {
	root, _ := repo(t)
	put(t, root, map[string]string{"link": ""})
	if err := os.Remove(filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	w := open(t, Options{Root: root, Secrets: []string{"hunter22"}})
	for name, c := range map[string]Command{
		"no command":     {},
		"above":          {Argv: []string{"true"}, Dir: "../.."},
		"link out":       {Argv: []string{"true"}, Dir: "link"},
		"missing":        {Argv: []string{"true"}, Dir: "nowhere"},
		"stdout outside": {Argv: []string{"true"}, Stdout: "/etc/qa-test"},
		"stdout by link": {Argv: []string{"true"}, Stdout: filepath.Join(w.Dir(), "link", "qa-test")},
	} {
		if _, err := w.Run(t.Context(), c); err == nil {
			t.Errorf("%s: ran", name)
		}
	}
	out := filepath.Join(w.Results(), "out.txt")
	res, err := w.Run(t.Context(), Command{Argv: []string{"echo", "a hunter22 b"}, Stdout: out})
	if err != nil || string(res.Stdout) != "a *** b\n" {
		t.Errorf("stdout = %q, %v", res.Stdout, err)
	}
	if data, err := os.ReadFile(out); err != nil || string(data) != "a *** b\n" {
		t.Errorf("file = %q, %v", data, err)
	}
}

func TestOpenErrors(t *testing.T) {
	if _, err := Open(context.Background(), Options{Root: "relative"}); err == nil {
		t.Error("relative root opened")
	}
	_, err := Open(context.Background(), Options{Root: t.TempDir(), Driver: "moon"})
	if err == nil || !strings.Contains(err.Error(), `unknown runtime "moon", expected one of auto, `) {
		t.Errorf("err = %v", err)
	}
	if _, err := Open(context.Background(), Options{Root: "/nonexistent/repo", Driver: "host"}); err == nil {
		t.Error("missing root opened")
	}
}
