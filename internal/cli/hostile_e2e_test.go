package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// quickChanges are those of every test run: one for each way of steering a runner.
var quickChanges = []string{"gotest-flag", "gotest-forge", "pytest-modifyitems", "mocha-rc"}

// TestHostileChanges breaks a product so that one test fails, and lets every change
// of testdata/hostile/changes hide it. None may pass, and what steers the runner
// must be said.
func TestHostileChanges(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 and run make fixtures")
	}
	t.Parallel()
	hostileChanges(t, nil)
}

// TestHostileChangesElsewhere is the same in the image and in other containers,
// which install what the projects need.
func TestHostileChangesElsewhere(t *testing.T) { otherPlaces(t, hostileChanges) }

func hostileChanges(t *testing.T, p *place) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "hostile", "changes", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no changes: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if !fixture.Deep() && !slices.Contains(quickChanges, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hostileChange(t, name, file, p)
		})
	}
}

func hostileChange(t *testing.T, name, file string, p *place) {
	attack, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	project, _, _ := strings.Cut(name, "-")
	said := map[string]string{}
	for line := range strings.Lines(string(attack.Comment)) {
		key, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "# "), ": ")
		said[key] = value
	}
	if said["tries"] == "" || said["want"] == "" {
		t.Fatalf("does not say what it tries and what is wanted")
	}
	install, sources := []string{"--install", "never"}, p.project
	if said["install"] != "" { // nothing is installed: what installs is the attack
		install, sources = nil, (&place{}).project
	}
	repo := sources(t, project)
	if p != nil && p.driver == "container" && project == "pytest" && !p.imports(t, "pytest") {
		t.Skip("this image, which stands for another one, has no pytest; docs/image.md says how to give it one")
	}
	for _, f := range attack.Files { // what the repository has already
		if name, ok := strings.CutPrefix(f.Name, "base/"); ok {
			repo.Write(name, string(f.Data))
		}
	}
	repo.Git("add", "--all")
	repo.Git("commit", "--quiet", "--allow-empty", "--message", "before")
	base := repo.Git("rev-parse", "HEAD")
	repo.Apply("failing")
	for _, f := range attack.Files {
		if !strings.HasPrefix(f.Name, "base/") {
			repo.Write(f.Name, string(f.Data))
		}
	}
	repo.Git("add", "--force", ".") // also what a sample project ignores
	repo.Git("reset", "-q", "--", "node_modules", ".venv")
	repo.Commit("hide it")
	args := []string{"run", "--quiet", "--mode", "discovery", "--base", base}
	var code int
	var out string
	if p != nil {
		code, out = p.run(t, repo.Dir, map[string]string{"HOME": filepath.Join(t.TempDir(), "home"), "RUNNER_TEMP": p.cache()}, args...)
	} else {
		code, out = onMachine(t, repo.Dir, append(args, install...))
	}
	reports, err := filepath.Glob(filepath.Join(repo.Dir, "qa-report", "*", "report.json"))
	if err != nil || len(reports) != 1 {
		t.Fatalf("exit code %d, reports %v, %v\n%s", code, reports, err, out)
	}
	raw, err := os.ReadFile(reports[0])
	if err != nil {
		t.Fatal(err)
	}
	var report qa.Report
	if err := json.Unmarshal(raw, &report); err != nil {
		t.Fatal(err)
	}
	p.ran(t, &report)
	t.Logf("%s: %s", report.Result, report.Reason)
	if !slices.Contains(strings.Fields(said["want"]), string(report.Result)) || report.Result == qa.Pass || report.Result == qa.Conditional && report.Manifest.CommandChanged == "" {
		t.Errorf("%s, want %s\n%s", report.Result, said["want"], out)
	}
	if err := quality.Verify(&report); err != nil {
		t.Error(err)
	}
}

func onMachine(t *testing.T, dir string, args []string) (int, string) {
	t.Helper()
	env := map[string]string{"HOME": os.Getenv("HOME"), "PATH": os.Getenv("PATH"), "TMPDIR": os.TempDir(), "RUNNER_TEMP": fixture.Cache()}
	var out bytes.Buffer
	code := Main(t.Context(), Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir, Getenv: func(name string) string { return env[name] }}, args)
	return code, out.String()
}
