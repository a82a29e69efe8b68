package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	v := victim{t: t, dir: repo.Dir, more: []string{"RUNNER_TEMP=" + fixture.Cache()}}
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

// TestPartsEqualTheWhole runs a suite once, and once in three parts that are then merged:
// what comes out must be the same, and no part alone speaks for the whole. A change that
// leaves lines uncovered and breaks a test as well shows both at the price of one; apart
// from each other they are shown with one framework, and by `make deep` with all.
func TestPartsEqualTheWhole(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 and run make fixtures")
	}
	t.Parallel()
	for _, name := range fixture.Some([]string{"gotest", "jest", "pytest", "vitest"}, 2) {
		cases := [][]string{{"uncovered", "failing"}}
		if name == "gotest" || fixture.Deep() {
			cases = [][]string{{"uncovered"}, {"failing"}}
		}
		for _, changes := range cases {
			t.Run(name+"/"+strings.Join(changes, "+"), func(t *testing.T) {
				t.Parallel()
				repo := fixture.New(t, name)
				for _, change := range changes {
					repo.Git("checkout", "-q", "-b", change, "main")
					repo.Apply(change)
					repo.Commit(change)
				}
				repo.Git("checkout", "-q", "-b", "feature", "main")
				for _, change := range changes {
					repo.Git("cherry-pick", change)
					repo.Git("branch", "-q", "-D", change)
				}
				v := victim{t: t, dir: repo.Dir, more: []string{"RUNNER_TEMP=" + fixture.Cache()}}
				whole := v.qa("run", "--quiet")
				if failed := whole.ExitCode == 1; failed != slices.Contains(changes, "failing") {
					t.Fatalf("exit code %d of the whole run\n%s%s", whole.ExitCode, whole.Stdout, whole.Stderr)
				}
				want := v.outcome()["analysis/quality-report.md"]
				mustDo(t, os.RemoveAll(v.out()))
				const of = 3
				away := t.TempDir()
				for i := range of {
					part := v.qa("run", "--quiet", "--shard", fmt.Sprintf("%d/%d", i+1, of))
					if said := fmt.Sprintf("this is part %d of %d; qa merge has the verdict on all parts", i+1, of); !strings.Contains(string(part.Stdout), said) {
						t.Errorf("part %d does not say that it is one:\n%s%s", i+1, part.Stdout, part.Stderr)
					}
					mustDo(t, os.Rename(v.out(), filepath.Join(away, fmt.Sprint(i))))
				}
				if res := v.qa("merge", "--quiet", filepath.Join(away, "0"), filepath.Join(away, "2")); res.ExitCode != 2 && res.ExitCode != 3 || !strings.Contains(string(res.Stderr), "part 2 of 3 is missing") {
					t.Errorf("without a part: exit code %d\n%s%s", res.ExitCode, res.Stdout, res.Stderr)
				}
				if res := v.qa("merge", "--quiet", away); res.ExitCode != whole.ExitCode {
					t.Errorf("exit code %d, of the whole run %d\n%s%s", res.ExitCode, whole.ExitCode, res.Stdout, res.Stderr)
				}
				if diff := cmp.Diff(want, v.outcome()["analysis/quality-report.md"]); diff != "" {
					t.Errorf("differs from the whole run (-whole +merged):\n%s", diff)
				}
			})
		}
	}
}
