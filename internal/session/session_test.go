package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/output"
)

var noon = time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)

func at(t time.Time) func() time.Time { return func() time.Time { return t } }

func ptr[T any](v T) *T { return &v }

var testKey = Key{Repository: "org/app", Head: "0123456789abcdef0123456789abcdef01234567", Config: "c1"}

func testSpec() Spec {
	return Spec{
		Key: testKey, Mode: "full", Depth: "standard", Task: "Check the login: issues & tests!", MaxRounds: 3, Now: at(noon),
		Tasks: []Task{
			{ID: "SCOUT-001", Title: "Scan for issues", Role: "scout", Perspectives: []string{"bug", "security"}, ExecMode: OneShot, Outcome: Outcome{Wave: 1, Status: Pending}},
			{ID: "QASTRAT-001", Title: "Decide", Role: "strategist", Deps: []string{"SCOUT-001"}, ContextFrom: []string{"SCOUT-001"}, ExecMode: OneShot, Outcome: Outcome{Wave: 2, Status: Pending}},
			{ID: "QARUN-L1-001", Title: "Run", Role: "executor", Layer: "L1", CoverageTarget: ptr(80.0), Deps: []string{"QASTRAT-001"}, ExecMode: Interactive, Outcome: Outcome{Wave: 3, Status: Pending}},
			{ID: "QAANA-001", Title: "Score", Role: "analyst", Deps: []string{"QARUN-L1-001"}, ContextFrom: []string{"SCOUT-001", "QARUN-L1-001"}, ExecMode: OneShot, Outcome: Outcome{Wave: 4, Status: Pending}},
		},
	}
}

func mustCreate(t *testing.T, dir string) *Session {
	t.Helper()
	s, err := Create(output.At(dir), testSpec())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listing names every file of a directory.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	check(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if d.IsDir() {
			rel += "/"
		}
		names = append(names, rel)
		return err
	}))
	return strings.Join(names, "\n")
}

func TestCreateLaysOutTheDirectoryAndNeverClobbers(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "qa-report")
	s := mustCreate(t, out)
	if want := "qa-check-the-login-issues-tests-20260308-0123456"; s.ID() != want {
		t.Errorf("id %s, want %s", s.ID(), want)
	}
	want := `analysis/
context
discoveries.ndjson
gc-state.json
interactive/
lock
messages.ndjson
results/
resume/
scan/
session.json
shared-memory.json
strategy/
tasks.csv
tests/
tests/L1-unit/
tests/L2-integration/
tests/L3-e2e/
wisdom/
wisdom/conventions.md
wisdom/decisions.md
wisdom/issues.md
wisdom/learnings.md`
	want = strings.Replace(want, "context\n", "", 1)
	if diff := cmp.Diff(want, listing(t, s.Dir())); diff != "" {
		t.Error(diff)
	}
	second, third := mustCreate(t, out), mustCreate(t, out)
	if second.ID() != s.ID()+"-2" || third.ID() != s.ID()+"-3" {
		t.Errorf("next ids %s and %s", second.ID(), third.ID())
	}
	known, err := List(output.At(out))
	check(t, err)
	if len(known) != 3 || known[0].ID != third.ID() {
		t.Errorf("listed %+v", known)
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                        "",
		"../../etc/passwd":        "etc-passwd",
		"  --Test__coverage--":    "test-coverage",
		"Ünïcode 测试":              "ünïcode-测试",
		strings.Repeat("ab ", 30): strings.TrimRight(strings.Repeat("ab-", 14)[:40], "-"),
		strings.Repeat("x", 60):   strings.Repeat("x", 40),
		"a\xff\x00b":              "a-b",
	} {
		if got := slugOf(text); got != want || len([]rune(got)) > 40 {
			t.Errorf("slug of %q is %q, want %q", text, got, want)
		}
	}
}

func TestAWaveFromStartToEnd(t *testing.T) {
	t.Parallel()
	s := mustCreate(t, t.TempDir())
	check(t, s.BeginWave(1, []string{"SCOUT-001"}))
	check(t, s.TaskStarted("SCOUT-001"))
	check(t, s.Update("SCOUT-001", func(task *Task) {
		task.Status, task.Findings, task.IssuesFound = Completed, "=2 issues, \"quoted\"\nsecond line", ptr(2)
	}))
	check(t, s.TaskEnded("SCOUT-001"))
	check(t, s.EndWave(1))
	check(t, s.BeginWave(2, []string{"QASTRAT-001"}))
	wave, err := s.ReadFile("wave-2.csv")
	check(t, err)
	want := `id,title,description,role,perspective,layer,coverage_target,deps,context_from,exec_mode,wave,status,findings,issues_found,pass_rate,coverage_achieved,test_files,quality_score,error,prev_context
QASTRAT-001,Decide,,strategist,,,,SCOUT-001,SCOUT-001,csv-wave,2,pending,,,,,,,,"[SCOUT-001] =2 issues, ""quoted""
second line"
`
	if diff := cmp.Diff(want, string(wave)); diff != "" {
		t.Error(diff)
	}
	if _, err := s.ReadFile("wave-1.csv"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("wave-1.csv is still there: %v", err)
	}
	master, err := s.ReadFile("tasks.csv")
	check(t, err)
	if !strings.Contains(string(master), `"'=2 issues, ""quoted""`) {
		t.Errorf("formula not defused:\n%s", master)
	}
	tasks, err := decodeTasks(master)
	check(t, err)
	if diff := cmp.Diff(s.Tasks()[0], tasks[0]); diff != "" {
		t.Error(diff)
	}
}
