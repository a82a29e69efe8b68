package targets

import (
	"strings"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/qa"
)

func load(t *testing.T, file string) *config.Config {
	t.Helper()
	c, err := config.Load(config.Sources{File: []byte(file), FileName: ".github/qa.yml"})
	assert.NilError(t, err)
	return c
}

// A package has the commands and reports that it names, and those of the inputs
// where it names none.
func TestPackagesHaveWhatTheyName(t *testing.T) {
	t.Parallel()
	c := load(t, `
test-command: ./check
test-report: all.xml
targets:
  - dir: a
    name: first
    framework: command
    test-command: ./own
    test-report: own.xml
    coverage-file: own.info
  - dir: b
`)
	found, err := Find(project.Machine{}, t.TempDir(), c)
	assert.NilError(t, err)
	assert.Equal(t, len(found.Targets), 2)
	a, b := found.Targets[0], found.Targets[1]
	assert.Equal(t, a.Name+" "+a.Dir+" "+a.Framework.Program[0], "first a ./own")
	assert.Equal(t, a.Framework.Reports.Tests[0].Path+" "+a.Framework.Reports.CoverageFiles[0].Path, "own.xml own.info")
	assert.Equal(t, b.Name+" "+b.Framework.Program[0]+" "+b.Framework.Reports.Tests[0].Path, "b ./check all.xml")
	c.WorkingDirectory = "b"
	found, err = Find(project.Machine{}, t.TempDir(), c)
	assert.NilError(t, err)
	assert.Equal(t, len(found.Targets), 1)
}

// What cannot be is said before anything runs; a package that the change removed is
// no mistake of the configuration, which is base's.
func TestCheck(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"a/x.js": {}, "file": {}}
	gone := qa.Change{Files: []qa.FileChange{{Path: "gone/x.js", Status: qa.Deleted}}}
	c := load(t, "targets: [{dir: a}, {dir: gone}]")
	assert.NilError(t, Check(tree, gone, c))
	assert.Equal(t, len(c.Targets), 1)
	c = load(t, "working-directory: file\ntest-command: \"a 'b\"\ntargets: [{dir: gone, test-command: \"'\"}]")
	err := Check(tree, qa.Change{}, c)
	for _, want := range []string{`working-directory: there is no directory "file"`, `test-command "a 'b"`, `targets[0]: dir: there is no directory "gone"`, `targets[0]: test-command "'"`} {
		assert.Assert(t, err != nil && strings.Contains(err.Error(), want), "%s in %v", want, err)
	}
}
