package cli

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// Two tests for grade.Name: the first leaves it below its target, so the loop
// goes round once more.
var graderTests = []string{
	"func TestNameLow(t *testing.T) {\n\tfor points, want := range map[int]string{-1: \"none\", 0: \"low\", 49: \"low\"} {\n\t\tif got := Name(points); got != want {\n\t\t\tt.Fatalf(\"Name(%d) = %q\", points, got)\n\t\t}\n\t}\n}",
	"func TestNameHigh(t *testing.T) {\n\tfor points, want := range map[int]string{50: \"fair\", 79: \"fair\", 80: \"good\"} {\n\t\tif got := Name(points); got != want {\n\t\t\tt.Fatalf(\"Name(%d) = %q\", points, got)\n\t\t}\n\t}\n}",
}

var graderFiles = map[string]string{
	".gitignore":          "qa-report\n",
	"go.mod":              "module example.invalid/grade\n\ngo 1.24\n",
	"grade/grade.go":      "// Package grade names results.\npackage grade\n\n// Best is the highest number of points.\nfunc Best() int { return 100 }\n",
	"grade/grade_test.go": "package grade\n\nimport \"testing\"\n\nfunc TestBest(t *testing.T) {\n\tif Best() != 100 {\n\t\tt.Fatal(\"best is 100\")\n\t}\n}\n",
}

const graderChange = `
// Name is the word for a number of points.
func Name(points int) string {
	if points < 0 {
		return "none"
	}
	if points < 50 {
		return "low"
	}
	if points < 80 {
		return "fair"
	}
	return "good"
}
`

// till is a model that counts what it is paid for. Its answers take a moment, so
// that a run can be killed while it waits for one.
type till struct {
	mu    sync.Mutex
	asked []string             // bodies, in order
	paid  map[string]time.Time // when the answer was out
}

func (k *till) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	x, ok := listen(w, req)
	if !ok {
		return
	}
	k.mu.Lock()
	k.asked = append(k.asked, x.body)
	k.mu.Unlock()
	time.Sleep(300 * time.Millisecond)
	answer := map[string]any{}
	if strings.Contains(x.prompt(), "Function under test") {
		n := 0
		if strings.Contains(x.prompt(), "TestNameLow") {
			n = 1
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(graderTests[n], "func "), "(")
		answer["tests"] = []any{map[string]any{"name": name, "function": "Name", "lane": "hardening", "finding": "", "severity": "", "imports": []string{}, "announced": "", "relied": "", "in": "", "code": graderTests[n], "why": "no test calls it"}}
	}
	x.reply(w, answer)
	k.mu.Lock()
	k.paid[x.body] = time.Now()
	k.mu.Unlock()
}

func (k *till) requests() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.asked)
}

// grader is a Go package whose untested function a model writes tests for.
type grader struct {
	victim
	till *till
	url  string
}

func newGrader(t *testing.T) grader {
	t.Helper()
	g := grader{victim: victim{t: t, dir: filepath.Join(t.TempDir(), "project")}, till: &till{paid: map[string]time.Time{}}}
	server := httptest.NewServer(g.till)
	t.Cleanup(server.Close)
	g.url = server.URL + "/v1"
	// Compiling the standard library once is enough.
	g.more = []string{"HOME=" + os.Getenv("HOME"), "RUNNER_TEMP=" + fixture.Cache()}
	for name, content := range graderFiles {
		g.write(name, content)
	}
	g.git("init", "-q", "-b", "main")
	g.git("add", "-A")
	g.git("commit", "-q", "-m", "one")
	g.git("checkout", "-q", "-b", "feature")
	g.write("grade/grade.go", graderFiles["grade/grade.go"]+graderChange)
	g.git("commit", "-q", "-a", "-m", "two")
	return g
}

func (g grader) arguments(command string) []string {
	return []string{command, "--mode", "testing", "--runtime", "host", "--repeat", "2", "--model", "recorded", "--model-base-url", g.url}
}

// goOn continues what is unfinished, else starts again.
func (g grader) goOn() {
	g.t.Helper()
	known, err := session.List(output.At(g.out()))
	mustDo(g.t, err)
	command := "run"
	for _, k := range known {
		if k.Broken == nil && k.Meta.State == session.Finished {
			return
		} else if k.Broken == nil {
			command = "resume"
		}
	}
	if res := g.qa(g.arguments(command)...); res.ExitCode != 0 {
		g.t.Fatalf("qa %s: exit code %d\n%s%s", command, res.ExitCode, res.Stdout, res.Stderr)
	}
}

// result is the outcome without what tells which process asked the model.
func (g grader) result() map[string]any {
	g.t.Helper()
	out := g.outcome()
	report := out["report.json"].([]any)[0].(map[string]any)
	delete(report["manifest"].(map[string]any), "model")
	for name, text := range out { // the note on the model's calls stands in text, too
		if s, ok := text.(string); ok {
			out[name] = strings.Join(slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool { return strings.HasPrefix(l, "- model ") }), "\n")
		}
	}
	return out
}

// TestKilledInsideRounds kills runs of a generator-critic loop while a model
// answers, after it answered, and while generated tests are tried. The result is
// that of an undisturbed run, and no answer is paid for twice.
func TestKilledInsideRounds(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1")
	}
	t.Parallel()
	calm := newGrader(t)
	if res := calm.qa(calm.arguments("run")...); res.ExitCode != 0 {
		t.Fatalf("exit code %d\n%s%s", res.ExitCode, res.Stdout, res.Stderr)
	}
	want, asked := calm.result(), calm.till.requests()
	report := want["report.json"].([]any)[0].(map[string]any)
	if n := len(report["generated"].([]any)); n != 2 || asked < 2 {
		t.Fatalf("%d tests of %d requests: the loop did not go round", n, asked)
	}
	type moment func(g grader) func() bool
	file := func(pattern string) moment {
		return func(g grader) func() bool {
			return func() bool {
				found, _ := filepath.Glob(filepath.Join(g.out(), filepath.FromSlash(pattern)))
				return len(found) > 0
			}
		}
	}
	moments := map[string]moment{
		"round 0, its wave":        file("qa-*/wave-3.csv"),
		"round 0, tests are tried": file("qa-*/results/trial-QARUN-L1-001/root/*-trial-2"),
		"round 0, kept":            file("qa-*/resume/QARUN-L1-001.json"),
		"round 1, its wave":        file("qa-*/wave-4.csv"),
		"round 1, proposed":        file("qa-*/resume/QAGEN-L1-fix-1.json"),
		"round 1, tests are tried": file("qa-*/results/trial-QARUN-L1-gc-1/root/*-trial-2"),
		"round 1, kept":            file("qa-*/resume/QARUN-L1-gc-1.json"),
	}
	for n := 1; n <= asked; n++ {
		moments[fmt.Sprintf("request %d under way", n)] = func(g grader) func() bool {
			return func() bool { return g.till.requests() >= n }
		}
		moments[fmt.Sprintf("answer %d kept", n)] = func(g grader) func() bool {
			return func() bool {
				found, _ := filepath.Glob(filepath.Join(g.out(), "model-replies", "*.json"))
				return len(found) >= n
			}
		}
	}
	for _, name := range fixture.Some(slices.Sorted(maps.Keys(moments)), 3) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGrader(t)
			hit, _ := until(t, g.start(g.arguments("run")...), syscall.SIGKILL, moments[name](g))
			if !hit {
				t.Error("the moment was not met")
			}
			killed := time.Now()
			before := g.till.requests()
			g.goOn()
			if diff := cmp.Diff(want, g.result()); diff != "" {
				t.Errorf("differs from an undisturbed run (-undisturbed +resumed):\n%s", diff)
			}
			g.till.mu.Lock()
			defer g.till.mu.Unlock()
			again := 0
			for _, body := range g.till.asked[before:] {
				if !slices.Contains(g.till.asked[:before], body) {
					continue
				}
				again++
				// What was on its way when the run died never arrived.
				if out := g.till.paid[body]; killed.Sub(out) > time.Second {
					t.Errorf("an answer that was there %v before the kill was paid for again", killed.Sub(out))
				}
			}
			if n := len(g.till.asked) - again; n != asked {
				t.Errorf("%d different requests, of an undisturbed run %d", n, asked)
			}
			t.Logf("%d requests before the kill, %d after, %d of them a second time", before, len(g.till.asked)-before, again)
		})
	}
}
