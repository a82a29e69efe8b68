package scaffold

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
)

var (
	gotest = Suite{Framework: "gotest", Command: "go test ./...", Evidence: []string{"go.mod"}}
	karma  = Suite{Framework: "command", Command: "npm test", Browser: true}
	cargo  = Suite{Framework: "cargo", Command: "cargo test", Absent: true}
)

func texts(p Project) map[string]string {
	out := map[string]string{}
	for _, f := range Files(p) {
		out[f.Name] = f.Text
	}
	return out
}

func packages(n int) (out []Suite) {
	for i := range n {
		out = append(out, Suite{Dir: "packages/" + string(rune('a'+i)), Framework: "vitest", Command: "vitest run"})
	}
	return out
}

func TestFiles(t *testing.T) {
	t.Parallel()
	const (
		image  = "uses: org/qa-action@v1\n"
		host   = "uses: org/qa-action/host@v1\n"
		matrix = "uses: org/qa-action/.github/workflows/qa.yml@v1\n"
	)
	for name, c := range map[string]struct {
		project Project
		uses    string
		has     []string
		config  []string // nil is no file
	}{
		"one suite": {Project{Suites: []Suite{gotest}}, image, []string{"#   .: gotest, because of go.mod\nname: QA\n"}, nil},
		"a browser": {Project{Suites: []Suite{karma}, Tools: []Tool{{"node", ">=20", "package.json engines.node"}}}, host,
			[]string{"need a browser", "node-version: '>=20' # package.json engines.node"}, nil},
		"a tool of the runner": {Project{Suites: []Suite{cargo}}, host, []string{"cargo is a tool of the runner"}, nil},
		"two packages":         {Project{Suites: packages(2)}, image, []string{"One job runs all of them; `qa init --matrix`"}, nil},
		"many packages":        {Project{Suites: packages(4)}, matrix, []string{`require is "qa / QA"`}, nil},
		"two, and asked for":   {Project{Suites: packages(2), Matrix: true}, matrix, nil, nil},
		"more than are shown":  {Project{Suites: packages(14)}, matrix, []string{"#   and 2 more, which"}, nil},
		"no suite": {Project{Missing: []string{".: no test framework found"}}, image, []string{"no test suite"},
			[]string{"# .: no test framework found", "# test-command: make test"}},
		"asked for otherwise": {Project{Suites: []Suite{gotest}, Settings: []Setting{{"mode", "testing"}, {"setup-command", "echo 'x'\nexit"}}}, image, nil,
			[]string{"mode: 'testing'\n"}},
		// What a file of the repository says becomes neither a line nor an expression.
		"an evil version": {Project{Suites: []Suite{karma}, Tools: []Tool{{"node", "${{ secrets.X }}", ".nvmrc"}}}, host, nil, nil},
		"evil evidence":   {Project{Suites: []Suite{{Framework: "x", Command: "a\njobs: {}", Evidence: []string{"b\n\u2028on: push"}}}}, image, nil, nil},
	} {
		got := texts(c.project)
		workflow := got[".github/workflows/qa.yml"]
		assert.Assert(t, strings.Contains(workflow, c.uses), "%s:\n%s", name, workflow)
		for _, text := range c.has {
			assert.Assert(t, strings.Contains(workflow, text), "%s: %q is not in\n%s", name, text, workflow)
		}
		var parsed struct {
			On   map[string]any
			Jobs map[string]any
		}
		assert.NilError(t, yaml.Unmarshal([]byte(workflow), &parsed), name)
		assert.Equal(t, len(parsed.Jobs), 1, name)
		assert.Equal(t, len(parsed.On), 2, name)
		assert.Assert(t, !strings.Contains(strings.Split(workflow, "name: QA\n")[1], "secrets"), name)
		settings, there := got[".github/qa.yml"]
		assert.Equal(t, there, c.config != nil, "%s:\n%s", name, settings)
		for _, text := range c.config {
			assert.Assert(t, strings.Contains(settings, text), "%s: %q is not in\n%s", name, text, settings)
		}
		loaded, err := config.Load(config.Sources{File: []byte(settings), FileName: "qa.yml"})
		assert.NilError(t, err, name)
		for _, s := range c.project.Settings {
			if s.Name == "setup-command" {
				assert.Equal(t, loaded.SetupCommand, s.Value)
			}
		}
	}
}

// What depends on the machine is told, and stands in no file: the next machine's
// init has nothing to change.
func TestNext(t *testing.T) {
	t.Parallel()
	p := Project{Suites: append(packages(13), gotest), Installs: []string{"npm ci"}}
	var said bytes.Buffer
	assert.NilError(t, Next(&said, p))
	for _, text := range []string{"required one: qa / QA\n", "  installs  npm ci\n", "  tests     packages/a: vitest, vitest run\n", "  and 2 more, which qa doctor lists\n"} {
		assert.Assert(t, strings.Contains(said.String(), text), "%q is not in\n%s", text, said.String())
	}
	bare := p
	bare.Installs = nil
	assert.DeepEqual(t, Files(bare), Files(p))
}

func TestPlaceNeverOverwrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	assert.NilError(t, err)
	defer func() { _ = root.Close() }()
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		assert.Assert(t, err == nil || errors.Is(err, os.ErrNotExist), "%v", err)
		return string(raw)
	}
	files := []File{{"a/new", "one\ntwo\n"}, {"a/old", "x\ny\nz\n"}}
	var said bytes.Buffer
	assert.NilError(t, Place(&said, root, files, true))
	assert.Equal(t, read("a/new"), "") // a dry run

	assert.NilError(t, os.Mkdir(filepath.Join(dir, "a"), 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "a/old"), []byte("x\nmine\nz\n"), 0o600))
	said.Reset()
	var other OtherError
	assert.Assert(t, errors.As(Place(&said, root, files, false), &other))
	assert.DeepEqual(t, other.Names, []string{"a/old"})
	assert.Equal(t, read("a/old"), "x\nmine\nz\n")
	assert.Equal(t, read("a/new"), "") // all or nothing
	assert.Equal(t, said.String(), "--- /dev/null\n+++ b/a/new\n+one\n+two\n--- a/a/old\n+++ b/a/old\n x\n-mine\n+y\n z\n")

	assert.NilError(t, os.WriteFile(filepath.Join(dir, "a/old"), []byte(files[1].Text), 0o600))
	said.Reset()
	assert.NilError(t, Place(&said, root, files, false))
	assert.Equal(t, read("a/new"), "one\ntwo\n")
	assert.Assert(t, strings.Contains(said.String(), "wrote a/new\n"), said.String())
	assert.Assert(t, strings.Contains(said.String(), "a/old says this already\n"), said.String())
}

// A link in the repository leads nowhere outside of it.
func TestPlaceFollowsNoLink(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	assert.NilError(t, os.Symlink(outside, filepath.Join(dir, "a")))
	root, err := os.OpenRoot(dir)
	assert.NilError(t, err)
	defer func() { _ = root.Close() }()
	assert.Assert(t, Place(&bytes.Buffer{}, root, []File{{"a/new", "x\n"}}, false) != nil)
	entries, err := os.ReadDir(outside)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 0)
}

func TestDifferenceOfALongFile(t *testing.T) {
	t.Parallel()
	got := difference("a", strings.Repeat("x\n", mostCompared+1), "y\n")
	assert.Assert(t, strings.Contains(got, "has 2001 lines"), got)
}
