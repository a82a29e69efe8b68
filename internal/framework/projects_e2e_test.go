package framework_test

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// packages writes packages of jest that have a test each, the last of which fails.
func packages(repo *fixture.Repo, manifest string) {
	repo.Remove("src")
	repo.Remove("test")
	repo.Write("package.json", manifest)
	for _, name := range []string{"a", "b"} {
		repo.Write("packages/"+name+"/package.json", `{"name":"`+name+`","version":"1.0.0","scripts":{"test":"jest"},"jest":{"displayName":"`+name+`"}}`)
		repo.Write("packages/"+name+"/index.js", "module.exports = (n) => n + 1\n")
		repo.Write("packages/"+name+"/index.test.js", "const add = require('./index')\ntest('adds', () => {\n  expect(add(1)).toBe("+map[string]string{"a": "2", "b": "3"}[name]+")\n})\n")
	}
}

// Projects of one jest are one run: their tests of one name are told apart by file, and
// a failure in one of them fails the run.
func TestJestProjects(t *testing.T) {
	needsTools(t)
	t.Parallel()
	repo := fixture.New(t, "jest")
	packages(repo, `{"private":true,"scripts":{"test":"jest"},"jest":{"projects":["<rootDir>/packages/a","<rootDir>/packages/b",{"displayName":"c","rootDir":"<rootDir>/c","testMatch":["<rootDir>/*.spec.js"]}]}}`)
	repo.Write("c/index.js", "module.exports = (n) => n * 2\n")
	repo.Write("c/x.spec.js", "const double = require('./index')\ntest('doubles', () => {\n  expect(double(2)).toBe(4)\n})\n")
	all, err := framework.Detect(repo.Dir, "")
	assert.NilError(t, err)
	assert.Equal(t, len(all), 1, "the packages are projects of the run above them")
	o := run(t, repo.Dir, all[0], adapter.Request{Coverage: true})
	assert.Assert(t, o.exit != 0)
	assert.Equal(t, o.tally, qa.Tally{Tests: 3, Passed: 2, Failed: 1}, o.tail)
	for _, c := range o.suite.Cases {
		assert.Equal(t, c.Status.Bad(), c.File == "packages/b/index.test.js", c.ID())
	}
	for _, file := range []string{"packages/a/index.js", "packages/b/index.js", "c/index.js"} {
		assert.Equal(t, lines(t, o, file).Covered, 1, file)
	}
}

// Packages that a script of npm runs one by one are a run each.
func TestJestWorkspaces(t *testing.T) {
	needsTools(t)
	t.Parallel()
	repo := fixture.New(t, "jest")
	packages(repo, `{"private":true,"workspaces":["packages/*"],"scripts":{"test":"npm test --workspaces"}}`)
	all, err := framework.Detect(repo.Dir, "")
	assert.NilError(t, err)
	assert.Equal(t, len(all), 2)
	failed := map[string]int{}
	for _, d := range all {
		o := run(t, repo.Dir, d, adapter.Request{})
		assert.Equal(t, o.tally.Tests, 1, o.tail)
		failed[d.Dir] = o.tally.Failed
	}
	assert.DeepEqual(t, failed, map[string]int{"packages/a": 0, "packages/b": 1})
}
