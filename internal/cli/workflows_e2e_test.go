package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/scaffold"
)

// TestWorkflowsPassActionlint checks our workflows and the examples, whose use of
// our action is held to its action.yml.
func TestWorkflowsPassActionlint(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1: actionlint is built first")
	}
	t.Parallel()
	dir := t.TempDir()
	lay := func(text, to string) {
		text = regexp.MustCompile(`org/qa-action(/[^@\s]+)?@v1`).ReplaceAllString(text, ".$1")
		text = strings.ReplaceAll(text, "uses: .\n", "uses: ./\n")
		assert.NilError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o755))
		assert.NilError(t, os.WriteFile(filepath.Join(dir, to), []byte(text), 0o600))
	}
	place := func(from, to string) {
		raw, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(from)))
		assert.NilError(t, err)
		lay(string(raw), to)
	}
	place("action.yml", "action.yml")
	place("host/action.yml", "host/action.yml")
	files := 0
	for _, pattern := range []string{".github/workflows/*.yml", "docs/examples/*.yml"} {
		found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		assert.NilError(t, err)
		for _, file := range found {
			rel, err := filepath.Rel(filepath.Join("..", ".."), file)
			assert.NilError(t, err)
			name := filepath.Base(file)
			if strings.HasPrefix(filepath.ToSlash(rel), "docs/") {
				name = "example-" + name
			}
			place(filepath.ToSlash(rel), ".github/workflows/"+name)
			files++
		}
	}
	assert.Assert(t, files >= 10, "%d workflows", files)
	// What qa init writes is held to the same.
	suite := scaffold.Suite{Framework: "gotest", Command: "go test ./...", Evidence: []string{"go.mod"}}
	browser := scaffold.Suite{Framework: "command", Command: "npm test", Browser: true}
	tools := []scaffold.Tool{{Name: "node", Spec: ">=20", Source: "package.json engines.node"}, {Name: "go", Spec: "1.26", Source: "go.mod go"}, {Name: "python", Spec: "3.12", Source: ".python-version"}}
	for name, p := range map[string]scaffold.Project{
		"image":  {Suites: []scaffold.Suite{suite}, Tools: tools},
		"runner": {Suites: []scaffold.Suite{browser}, Tools: tools},
		"matrix": {Suites: []scaffold.Suite{suite}, Matrix: true},
		"none":   {},
	} {
		lay(scaffold.Files(p)[0].Text, ".github/workflows/init-"+name+".yml")
	}
	run := func(dir string, argv ...string) process.Result {
		res, err := process.Run(t.Context(), process.Command{Argv: argv, Dir: dir, Env: os.Environ(), Timeout: 5 * time.Minute})
		assert.NilError(t, err)
		return res
	}
	program := filepath.Join(dir, "bin", "actionlint")
	build := run(".", "env", "GOFLAGS=", "GOBIN="+filepath.Dir(program), "go", "install", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
	assert.Equal(t, build.ExitCode, 0, "%s", build.Stderr)
	assert.NilError(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o755)) // actionlint looks for the project's root
	// The entry point is a file of the image, not of the repository.
	res := run(dir, program, "-no-color", "-shellcheck=", "-pyflakes=", "-ignore", "entrypoint")
	assert.Equal(t, res.ExitCode, 0, "%s%s", res.Stdout, res.Stderr)
	// It would say so: an input that the action does not have is an error.
	file := filepath.Join(dir, ".github", "workflows", "example-plain.yml")
	raw, err := os.ReadFile(file)
	assert.NilError(t, err)
	assert.NilError(t, os.WriteFile(file, []byte(strings.Replace(string(raw), "uses: ./\n", "uses: ./\n        with: {no-such-input: 1}\n", 1)), 0o600))
	assert.Assert(t, run(dir, program, "-no-color", "-ignore", "entrypoint").ExitCode != 0)
}
