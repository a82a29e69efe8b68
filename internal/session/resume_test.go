package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/output"
)

// left makes a session that a process left after wave 1.
func left(t *testing.T) (out, id string) {
	t.Helper()
	out = t.TempDir()
	s, err := Create(output.At(out), testSpec())
	check(t, err)
	check(t, s.BeginWave(1, []string{"SCOUT-001"}))
	check(t, s.Update("SCOUT-001", func(task *Task) { task.Status, task.Findings = Completed, "two issues" }))
	check(t, s.EndWave(1))
	check(t, s.Keep("SCOUT-001", "in1", result{Findings: "two issues"}))
	check(t, s.BeginWave(2, []string{"QASTRAT-001"}))
	check(t, s.TaskStarted("QASTRAT-001"))
	check(t, s.Close())
	return out, s.ID()
}

func TestResumeTakesUpWhereTheRunWasLeft(t *testing.T) {
	t.Parallel()
	out, id := left(t)
	temp := filepath.Join(out, id, ".tasks.csv"+tempMark)
	check(t, os.WriteFile(temp, []byte("torn"), 0o644))
	s, err := Resume(output.At(out), "", testKey, at(noon))
	check(t, err)
	defer func() { check(t, s.Close()) }()
	if s.ID() != id || s.Meta().Runs != 2 {
		t.Errorf("resumed %s, run %d", s.ID(), s.Meta().Runs)
	}
	for _, name := range []string{temp, filepath.Join(out, id, "wave-2.csv")} {
		if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there", name)
		}
	}
	if row, _ := s.Task("SCOUT-001"); row.Status != Completed {
		t.Errorf("SCOUT-001 is %s", row.Status)
	}
	var r result
	if !s.Kept("SCOUT-001", "in1", &r) || r.Findings != "two issues" {
		t.Errorf("kept %+v", r)
	}
	if s.Kept("SCOUT-001", "in2", &r) || s.Kept("QASTRAT-001", "in1", &r) {
		t.Error("a result of other inputs or of no task is offered")
	}
}

// tree is the content of every file of a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name := range strings.SplitSeq(listing(t, dir), "\n") {
		if !strings.HasSuffix(name, "/") && !strings.HasSuffix(name, "/"+lockFile) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			check(t, err)
			files[name] = string(data)
		}
	}
	return files
}

func TestRefusalsChangeNothing(t *testing.T) {
	t.Parallel()
	other := func(change func(*Key)) Key {
		k := testKey
		change(&k)
		return k
	}
	corrupt := func(name, content string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			check(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		}
	}
	for name, tc := range map[string]struct {
		key   Key
		spoil func(t *testing.T, dir string)
		want  string
		is    func(error) bool
	}{
		"other repository": {other(func(k *Key) { k.Repository = "org/b" }), nil, "belongs to another repository (org/app, not org/b)", is[*ForeignError]},
		"other commit":     {other(func(k *Key) { k.Head = "" }), nil, "belongs to another commit (0123456789abcdef0123456789abcdef01234567, not unknown)", is[*ForeignError]},
		"other config":     {other(func(k *Key) { k.Config = "c2" }), nil, "belongs to another configuration (c1, not c2)", is[*ForeignError]},
		"no session.json":  {testKey, func(t *testing.T, dir string) { check(t, os.Remove(filepath.Join(dir, metaFile))) }, "cannot be read: read session.json", is[*CorruptError]},
		"bad session.json": {testKey, corrupt(metaFile, "{"), "cannot be read: session.json: unexpected end of JSON input", is[*CorruptError]},
		"newer schema":     {testKey, corrupt(metaFile, `{"schema":2}`), "written by another version (schema 2, this one reads 1)", is[*CorruptError]},
		"bad table":        {testKey, corrupt(tasksFile, "a,b\n"), "cannot be read: tasks.csv: header: record on line 1", is[*CorruptError]},
		"bad memory":       {testKey, corrupt(memoryFile, "[]"), "cannot be read: shared-memory.json", is[*CorruptError]},
		"bad rounds":       {testKey, corrupt(roundsFile, "x"), "cannot be read: gc-state.json", is[*CorruptError]},
		"table is a link": {testKey, func(t *testing.T, dir string) {
			check(t, os.Remove(filepath.Join(dir, tasksFile)))
			check(t, os.Symlink("/etc/passwd", filepath.Join(dir, tasksFile)))
		}, "read tasks.csv: not a regular file", is[*CorruptError]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, id := left(t)
			if tc.spoil != nil {
				tc.spoil(t, filepath.Join(out, id))
			}
			before := tree(t, out)
			_, err := Resume(output.At(out), id, tc.key, at(noon))
			if err == nil || !strings.Contains(err.Error(), tc.want) || !tc.is(err) {
				t.Errorf("error %v, want %s", err, tc.want)
			}
			if diff := cmp.Diff(before, tree(t, out)); diff != "" {
				t.Errorf("the refused session was changed: %s", diff)
			}
		})
	}
}

func is[E error](err error) bool {
	var want E
	return errors.As(err, &want)
}

func TestResumeWithoutASession(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	_, err := Resume(output.At(filepath.Join(out, "missing")), "", testKey, at(noon))
	if !is[*NoneError](err) || !strings.Contains(err.Error(), "start one with qa run") {
		t.Errorf("error %v", err)
	}
	s := mustCreate(t, out)
	check(t, s.Finish(Finished))
	check(t, s.Close())
	check(t, os.Mkdir(filepath.Join(out, "qa-torn-20260308"), 0o755))
	_, err = Resume(output.At(out), "", testKey, at(noon))
	want := "there are: qa-check-the-login-issues-tests-20260308-0123456 (finished, 0 of 4 tasks done, commit 0123456), qa-torn-20260308 (unreadable)"
	if !is[*NoneError](err) || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	if _, err := Resume(output.At(out), s.ID(), testKey, at(noon)); err == nil || !strings.Contains(err.Error(), "is finished") {
		t.Errorf("error %v", err)
	}
	if _, err := Resume(output.At(out), "../x", testKey, at(noon)); err == nil || !strings.Contains(err.Error(), "not the name of a session") {
		t.Errorf("error %v", err)
	}
}

func TestOnlyOneProcessWrites(t *testing.T) {
	t.Parallel()
	out, id := left(t)
	s, err := Resume(output.At(out), id, testKey, at(noon))
	check(t, err)
	_, err = Resume(output.At(out), id, testKey, at(noon))
	if !is[*BusyError](err) || !strings.Contains(err.Error(), "process ") {
		t.Errorf("error %v", err)
	}
	check(t, s.Close())
	// The lock file of an ended process is no obstacle.
	again, err := Resume(output.At(out), id, testKey, at(noon))
	check(t, err)
	check(t, again.Close())
}

func TestOutputDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	check(t, os.WriteFile(file, nil, 0o644))
	for path, want := range map[string]string{
		file:       "make output directory",
		"relative": "is not absolute",
	} {
		if _, err := Create(output.At(path), testSpec()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", path, err, want)
		}
	}
}

func TestFilesStayInsideTheSession(t *testing.T) {
	t.Parallel()
	s := mustCreate(t, t.TempDir())
	check(t, os.Symlink(os.TempDir(), filepath.Join(s.Dir(), "out")))
	for rel, want := range map[string]string{
		"../x":               "path escapes",
		"/etc/x":             "path escapes",
		"out/x":              "path escapes",
		"tasks.csv":          "belongs to the session itself",
		"scan/../lock":       "belongs to the session itself",
		"scan":               "scan",
		"discoveries.ndjson": "belongs to the session itself",
	} {
		if err := s.WriteFile(rel, []byte("x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", rel, err, want)
		}
	}
	check(t, s.WriteFile("results/deep/er/run-L1.json", []byte("{}")))
	got, err := s.ReadFile("results/deep/er/run-L1.json")
	check(t, err)
	if string(got) != "{}" {
		t.Errorf("read %q", got)
	}
}

// A resumed run need not come to the same rounds: rows of the earlier ones do
// not stay behind as tasks that nobody runs.
func TestResumeStartsFromThePlan(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	s, err := Create(output.At(out), testSpec())
	check(t, err)
	plan := s.Tasks()
	check(t, s.Add([]Task{{ID: "QAGEN-L1-fix-1", Role: "generator", Deps: []string{"QARUN-L1-001"}, ExecMode: OneShot, Outcome: Outcome{Status: Pending}}}, "QAANA-001"))
	check(t, s.EndWave(3))
	if rows := s.Tasks(); rows[3].ID != "QAGEN-L1-fix-1" || strings.Join(rows[4].Deps, " ") != "QARUN-L1-001 QAGEN-L1-fix-1" {
		t.Errorf("rows %+v", rows[3:])
	}
	check(t, s.Close())
	resumed, err := Resume(output.At(out), "", testKey, at(noon))
	check(t, err)
	if diff := cmp.Diff(plan, resumed.Tasks()); diff != "" {
		t.Error(diff)
	}
	check(t, resumed.Close())
}
