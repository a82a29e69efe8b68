package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestShardsEqualTheWhole runs a repository once, and once in three shards that
// are then merged: what comes out must be the same.
func TestShardsEqualTheWhole(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 and run make fixtures")
	}
	t.Parallel()
	repo := fixture.New(t, "monorepo")
	repo.Git("checkout", "-q", "-b", "feature")
	repo.Apply("uncovered")
	repo.Commit("uncovered")
	v := victim{t: t, dir: repo.Dir}
	whole := v.qa("run", "--quiet")
	want := v.outcome()
	t.Logf("%s", whole.Stdout)
	mustDo(t, os.RemoveAll(v.out()))
	away, downloaded := t.TempDir(), filepath.Join(repo.Dir, "downloaded")
	for _, dir := range []string{"services/api", "packages/web", "libs/calc"} {
		v.qa("run", "--quiet", "--history", "none", "--working-directory", dir)
		mustDo(t, os.Rename(v.out(), filepath.Join(away, filepath.Base(dir))))
	}
	// As in a job, artifacts lie in the checkout and are no part of the change.
	mustDo(t, os.CopyFS(downloaded, os.DirFS(away)))
	mustDo(t, os.RemoveAll(filepath.Join(downloaded, "web")))
	if res := v.qa("merge", "--quiet", "--expect", "3", downloaded); res.ExitCode != 3 {
		t.Errorf("a missing shard: exit code %d\n%s%s", res.ExitCode, res.Stdout, res.Stderr)
	} else {
		t.Logf("a missing shard:\n%s", res.Stderr)
	}
	mustDo(t, os.CopyFS(filepath.Join(downloaded, "web"), os.DirFS(filepath.Join(away, "web"))))
	if res := v.qa("merge", "--quiet", "--expect", "3", downloaded); res.ExitCode != whole.ExitCode {
		t.Errorf("exit code %d, of the whole run %d\n%s%s", res.ExitCode, whole.ExitCode, res.Stdout, res.Stderr)
	}
	if diff := cmp.Diff(want, v.outcome()); diff != "" {
		t.Errorf("differs from the whole run (-whole +merged):\n%s", diff)
	}
}
