package change

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/process"
)

// tree is a real git repository to play with.
type tree struct {
	t   testing.TB
	dir string
}

func newTree(t testing.TB) tree {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := tree{t, dir}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r tree) run(args ...string) (process.Result, error) {
	return process.Run(r.t.Context(), process.Command{
		Argv: append([]string{"git"}, args...), Dir: r.dir,
		Env: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
			"GIT_ALLOW_PROTOCOL=file",
		},
	})
}

func (r tree) git(args ...string) string {
	r.t.Helper()
	res, err := r.run(args...)
	if err != nil || res.ExitCode != 0 {
		r.t.Fatalf("git %s: %v %s", strings.Join(args, " "), err, res.Stderr)
	}
	return strings.TrimSpace(string(res.Stdout))
}

func (r tree) write(path, content string) {
	r.t.Helper()
	abs := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(abs, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r tree) remove(path string) {
	r.t.Helper()
	if err := os.RemoveAll(filepath.Join(r.dir, path)); err != nil {
		r.t.Fatal(err)
	}
}

// commit commits everything and returns the id.
func (r tree) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}
