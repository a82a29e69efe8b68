package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// newPackages makes Go modules of one repository. The change adds a function
// without tests to each, for which a model writes some.
func newPackages(t *testing.T, packages ...string) grader {
	t.Helper()
	g := grader{victim: victim{t: t, dir: filepath.Join(t.TempDir(), "project")}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		x, ok := listen(w, req)
		if !ok {
			return
		}
		answer := map[string]any{}
		for _, name := range packages {
			if function := "Name" + name; strings.Contains(x.prompt(), "Function under test") && strings.Contains(x.prompt(), "func "+function+"(") {
				test := "Test" + function
				code := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(graderTests[0], "TestNameLow", test), "Name(", function+"("),
					`0: "low", 49: "low"`, `0: "low", 49: "low", 50: "fair", 79: "fair", 80: "good"`)
				answer["tests"] = []any{map[string]any{"name": test, "lane": "hardening", "finding": "", "severity": "", "function": function, "imports": []string{}, "announced": "", "relied": "", "in": "", "code": code, "why": "no test calls it"}}
			}
		}
		x.reply(w, answer)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL + "/v1"
	g.more = []string{"HOME=" + os.Getenv("HOME"), "RUNNER_TEMP=" + fixture.Cache()}
	in := func(name, text string) string {
		return strings.NewReplacer("Name is", "Name"+name+" is", "Name(", "Name"+name+"(", "example.invalid/grade", "example.invalid/"+name).Replace(text)
	}
	g.write(".gitignore", "qa-report\ndownloaded\n")
	for _, name := range packages {
		for _, file := range []string{"go.mod", "grade/grade.go", "grade/grade_test.go"} {
			g.write(name+"/"+file, in(name, graderFiles[file]))
		}
	}
	g.git("init", "-q", "-b", "main")
	g.git("add", "-A")
	g.git("commit", "-q", "-m", "one")
	g.git("checkout", "-q", "-b", "feature")
	for _, name := range packages {
		g.write(name+"/grade/grade.go", graderFiles["grade/grade.go"]+in(name, graderChange))
	}
	g.git("commit", "-q", "-a", "-m", "two")
	return g
}

// TestShardsWithAModel: tests that a model wrote in three shards are those of the
// whole run, and so is everything that follows from them.
func TestShardsWithAModel(t *testing.T) {
	if !fixture.Deep() {
		t.Skip("set QA_DEEP=1: the mutants of three modules are tried twice")
	}
	t.Parallel()
	packages := []string{"alpha", "beta", "gamma"}
	g := newPackages(t, packages...)
	whole := g.qa(append(g.arguments("run"), "--quiet")...)
	if whole.ExitCode != 0 {
		t.Fatalf("exit code %d\n%s%s", whole.ExitCode, whole.Stdout, whole.Stderr)
	}
	want := g.result()
	patch := func() string {
		found, err := filepath.Glob(filepath.Join(g.out(), "qa-*", "generated-tests.patch"))
		mustDo(t, err)
		if len(found) != 1 {
			t.Fatalf("%d patches", len(found))
		}
		raw, err := os.ReadFile(found[0])
		mustDo(t, err)
		return string(raw)
	}
	wanted := patch()
	if n := strings.Count(wanted, "\n+func TestName"); n != 3 {
		t.Fatalf("%d tests in the patch\n%s", n, wanted)
	}
	mustDo(t, os.RemoveAll(g.out()))
	for i, name := range packages {
		g.qa(append(g.arguments("run"), "--quiet", "--history", "none", "--working-directory", name)...)
		mustDo(t, os.CopyFS(filepath.Join(g.dir, "downloaded", fmt.Sprint(i)), os.DirFS(g.out())))
		mustDo(t, os.RemoveAll(g.out()))
	}
	merged := g.qa(append(g.arguments("merge"), "--quiet", "--expect", "3", filepath.Join(g.dir, "downloaded"))...)
	if merged.ExitCode != 0 {
		t.Fatalf("exit code %d\n%s%s", merged.ExitCode, merged.Stdout, merged.Stderr)
	}
	if diff := cmp.Diff(want, g.result()); diff != "" {
		t.Errorf("differs from the whole run (-whole +merged):\n%s", diff)
	}
	if diff := cmp.Diff(wanted, patch()); diff != "" {
		t.Errorf("the patch differs (-whole +merged):\n%s", diff)
	}
}
