package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// victim is a small repository whose runs are interrupted. Its tests are a
// program that copies prepared reports, after waiting a little.
type victim struct {
	t    *testing.T
	dir  string
	more []string // environment beside the usual
}

var (
	victimFiles = map[string]string{
		".gitignore":   "qa-report\nout\n",
		"lib.go":       "package lib\n\nfunc Old() int { return 1 }\n",
		"go.mod":       "module example.invalid/lib\n\ngo 1.26\n",
		"ready/t.xml":  `<testsuite><testcase name="a"/><testcase name="b"/></testsuite>`,
		"ready/c.info": "SF:lib.go\nDA:3,1\nDA:6,0\nDA:7,0\nDA:8,0\nDA:9,0\nend_of_record\n",
	}
	victimChange = "package lib\n\nfunc Old() int { return 1 }\n\nfunc New(n int) int {\n\tif n > 1 {\n\t\tn = n * 2\n\t}\n\treturn n\n}\n"
	victimTests  = "sh -c 'sleep 0.2; cp -r ready out'"
)

func newVictim(t *testing.T) victim {
	t.Helper()
	v := victim{t: t, dir: filepath.Join(t.TempDir(), "project")}
	for name, content := range victimFiles {
		v.write(name, content)
	}
	v.git("init", "-q", "-b", "main")
	v.git("add", "-A")
	v.git("commit", "-q", "-m", "one")
	v.git("checkout", "-q", "-b", "feature")
	v.write("lib.go", victimChange)
	v.write("ready/t.xml", `<testsuite><testcase name="a"/><testcase name="b"><failure message="no"/></testcase></testsuite>`)
	v.git("commit", "-q", "-a", "-m", "two")
	return v
}

func (v victim) write(name, content string) {
	v.t.Helper()
	path := filepath.Join(v.dir, filepath.FromSlash(name))
	mustDo(v.t, os.MkdirAll(filepath.Dir(path), 0o755))
	mustDo(v.t, os.WriteFile(path, []byte(content), 0o644))
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (v victim) env() []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(v.dir), "TMPDIR=" + os.TempDir(), "GIT_CONFIG_GLOBAL=" + os.DevNull}
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=qa", "GIT_"+who+"_EMAIL=qa@example.invalid", "GIT_"+who+"_DATE=2024-01-01T00:00:00Z")
	}
	return append(env, v.more...)
}

func (v victim) git(args ...string) {
	v.t.Helper()
	res, err := process.Run(v.t.Context(), process.Command{Argv: append([]string{"git"}, args...), Dir: v.dir, Env: v.env()})
	if err != nil || res.ExitCode != 0 {
		v.t.Fatalf("git %v: %v\n%s", args, err, res.Stderr)
	}
}

func arguments(command, tests string) []string {
	return []string{command, "--test-command", tests, "--test-report", "out/t.xml", "--coverage-file", "out/c.info", "--runtime", "host"}
}

// qa runs a command to its end.
func (v victim) qa(args ...string) process.Result {
	v.t.Helper()
	res, err := process.Run(v.t.Context(), process.Command{Argv: append([]string{qaProgram(v.t)}, args...), Dir: v.dir, Env: v.env()})
	mustDo(v.t, err)
	return res
}

func qaProgram(t *testing.T) string {
	t.Helper()
	path, err := process.LookPath("qa") // put there by TestMain
	mustDo(t, err)
	return path
}

// start begins a command; package process would not let it be killed alone.
func (v victim) start(args ...string) *os.Process {
	v.t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	mustDo(v.t, err)
	defer null.Close()
	p, err := os.StartProcess(qaProgram(v.t), append([]string{"qa"}, args...), &os.ProcAttr{Dir: v.dir, Env: v.env(), Files: []*os.File{null, null, null}})
	mustDo(v.t, err)
	return p
}

// until signals the process as soon as the moment is there; false when it
// ended before.
func until(t *testing.T, p *os.Process, sig os.Signal, moment func() bool) (hit bool, code int) {
	t.Helper()
	ended := make(chan *os.ProcessState, 1)
	go func() {
		state, err := p.Wait()
		if err == nil {
			ended <- state
		}
		close(ended)
	}()
	for {
		select {
		case state := <-ended:
			return hit, state.ExitCode()
		default:
		}
		if !hit && moment() {
			hit = p.Signal(sig) == nil
		}
		time.Sleep(time.Millisecond) // looking takes processor time from what is looked at
	}
}

func (v victim) out() string { return filepath.Join(v.dir, "qa-report") }

// goOn does what a user does after an interruption, and tells whether a
// baseline that was complete was measured again.
func (v victim) goOn() {
	v.t.Helper()
	known, err := session.List(output.At(v.out()))
	mustDo(v.t, err)
	command, measured := "run", false
	for _, k := range known {
		if k.Broken != nil {
			continue
		}
		if k.Meta.State == session.Finished {
			return
		}
		command = "resume"
		_, err := os.Stat(filepath.Join(v.out(), k.ID, "results", "baseline", "root", "measured.json"))
		measured = err == nil
	}
	res := v.qa(arguments(command, victimTests)...)
	if res.ExitCode != 1 {
		v.t.Fatalf("qa %s: exit code %d\n%s%s", command, res.ExitCode, res.Stdout, res.Stderr)
	}
	again := bytes.Contains(res.Stderr, []byte("baseline: running"))
	if measured && again {
		v.t.Errorf("the baseline was complete and ran again:\n%s", res.Stderr)
	}
}

// moving are the values that tell when something happened, and in which run.
var moving = []string{"session", "started", "seconds", "duration_seconds", "start_seconds", "date", "ts", "timestamp", "scan_date", "times"}

// phases say where the time went, of which a run that was gone on with has less.
var phases = regexp.MustCompile(`(?m)^- time: .*\n`)

// clocks are durations and times in text.
var clocks = regexp.MustCompile(`([0-9]+ min )?[0-9.]+ s\b|timestamp="\d+"`)

// still is a JSON value without moving parts.
func still(value any, id string) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			if slices.Contains(moving, key) {
				delete(v, key)
				continue
			}
			v[key] = still(v[key], id)
			if list, ok := v[key].([]any); ok && key == "cases" { // tests over a Go map run in any order
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
	case []any:
		for i := range v {
			v[i] = still(v[i], id)
		}
	case string:
		return strings.ReplaceAll(v, id, "SESSION")
	}
	return value
}

// outcome is what a run left for people and programs, without moving parts.
func (v victim) outcome() map[string]any {
	v.t.Helper()
	known, err := session.List(output.At(v.out()))
	mustDo(v.t, err)
	if len(known) == 0 || known[0].Broken != nil || known[0].Meta.State != session.Finished {
		v.t.Fatalf("no finished session: %+v", known)
	}
	id := known[0].ID
	out := map[string]any{}
	for _, name := range []string{"report.json", "shared-memory.json", "gc-state.json", "discoveries.ndjson", "messages.ndjson", "tasks.csv", "results.csv", "analysis/quality-report.md", "scan/scan-results.json", "strategy/test-strategy.json", "coverage.cobertura.xml"} {
		raw, err := os.ReadFile(filepath.Join(v.out(), id, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) { // not every mode writes all
			out[name] = "none"
			continue
		}
		mustDo(v.t, err)
		if ext := filepath.Ext(name); ext != ".json" && ext != ".ndjson" {
			text := phases.ReplaceAllString(strings.ReplaceAll(string(raw), id, "SESSION"), "")
			out[name] = clocks.ReplaceAllString(text, "TIME")
			continue
		}
		var values []any
		for d := json.NewDecoder(bytes.NewReader(raw)); d.More(); {
			var value any
			mustDo(v.t, d.Decode(&value))
			values = append(values, still(value, id))
		}
		out[name] = values
	}
	raw, err := os.ReadFile(filepath.Join(v.out(), "history", "history.json"))
	mustDo(v.t, err)
	var book struct {
		Runs []string `json:"runs"`
	}
	mustDo(v.t, json.Unmarshal(raw, &book))
	out["runs recorded"] = len(book.Runs)
	return out
}

// TestKilledAtAnyInstant kills whole runs: when each file of the session
// appears, when the table is rewritten, and at even distances of time. What is
// there after going on must equal an undisturbed run.
func TestKilledAtAnyInstant(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1")
	}
	t.Parallel()
	calm := newVictim(t)
	began := time.Now()
	if res := calm.qa(arguments("run", victimTests)...); res.ExitCode != 1 {
		t.Fatalf("exit code %d\n%s%s", res.ExitCode, res.Stdout, res.Stderr)
	}
	whole := time.Since(began)
	want := calm.outcome()
	moments := map[string]func(v victim) func() bool{}
	for _, name := range filesBelow(t, calm.out()) {
		moments["file "+name] = func(v victim) func() bool {
			return func() bool {
				found, _ := filepath.Glob(filepath.Join(v.out(), "*", filepath.FromSlash(name)))
				return len(found) > 0
			}
		}
	}
	for n := 1; n <= 6; n++ {
		moments[fmt.Sprintf("table %d", n)] = func(v victim) func() bool { return rewritten(v, "tasks.csv", n) }
		moments[fmt.Sprintf("wave %d", n)] = func(v victim) func() bool { return rewritten(v, fmt.Sprintf("wave-%d.csv", n), 1) }
	}
	for n := range 12 {
		moments[fmt.Sprintf("time %d of 12", n)] = func(victim) func() bool {
			at := time.Now().Add(whole * time.Duration(n) / 12)
			return func() bool { return time.Now().After(at) }
		}
	}
	names := fixture.Some(slices.Sorted(maps.Keys(moments)), 5)
	hits := make(chan bool, len(names))
	t.Run("instants", func(t *testing.T) {
		for _, name := range names {
			t.Run(strings.ReplaceAll(name, "/", " "), func(t *testing.T) {
				t.Parallel()
				v := newVictim(t)
				hit, _ := until(t, v.start(arguments("run", victimTests)...), syscall.SIGKILL, moments[name](v))
				hits <- hit
				v.goOn()
				if diff := cmp.Diff(want, v.outcome()); diff != "" {
					t.Errorf("differs from an undisturbed run (-undisturbed +resumed):\n%s", diff)
				}
			})
		}
	})
	close(hits)
	n, tried := 0, len(hits)
	for hit := range hits {
		if hit {
			n++
		}
	}
	t.Logf("%d of %d instants were met", n, tried)
	if n < tried/2 { // a busy machine is past some of them before anybody looks
		t.Errorf("only %d of %d instants were met", n, tried)
	}
}

// filesBelow lists the files of the only session, and of the history.
func filesBelow(t *testing.T, out string) []string {
	t.Helper()
	var files []string
	found, err := filepath.Glob(filepath.Join(out, "qa-*"))
	mustDo(t, err)
	mustDo(t, filepath.WalkDir(found[0], func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(found[0], path)
		files = append(files, filepath.ToSlash(rel))
		return err
	}))
	return append(files, "history.json")
}

// rewritten waits for the n-th version of a file.
func rewritten(v victim, name string, n int) func() bool {
	versions, last := 0, time.Time{}
	return func() bool {
		found, _ := filepath.Glob(filepath.Join(v.out(), "qa-*", name))
		if len(found) == 0 {
			return false
		}
		if info, err := os.Stat(found[0]); err == nil && info.ModTime() != last {
			versions, last = versions+1, info.ModTime()
		}
		return versions >= n
	}
}
