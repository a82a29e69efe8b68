package framework

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// What a workflow runs besides what was found, or with other options, is said; what only
// differs in reports, time and words is not.
func TestOtherwise(t *testing.T) {
	t.Parallel()
	type m = map[string]string
	golang := m{"go.mod": "module x\n", "a_test.go": "package x\n"}
	rust := m{"Cargo.toml": "[package]\nname = 'x'\n", "src/lib.rs": ""}
	python := m{"pytest.ini": "[pytest]\n", "test_a.py": ""}
	node := m{"package.json": `{"scripts": {"test": "mocha && node check.js", "all": "mocha --spec x && ./other"}}`}
	own := m{"package.json": `{"scripts": {"test": "node --test test"}}`, "test/a.test.mjs": "", "spec/b.mjs": ""}
	glob := m{"package.json": `{"scripts": {"test": "node --test 'test/*.test.mjs'"}}`, "test/a.test.mjs": "", "test/slow.mjs": ""}
	paths := m{"pytest.ini": "[pytest]\ntestpaths = tests\n", "tests/test_b.py": "", "checks/slow.py": ""}
	maven := m{"pom.xml": "<project/>"}
	for name, c := range map[string]struct {
		files m
		line  string
		want  string
	}{
		"tags":              {golang, "go test -tags all ./...", "w:1: go test -tags all ./..."},
		"race":              {golang, "go test -race ./...", "w:1: go test -race ./..."},
		"flags by variable": {golang, "GOFLAGS=-tags=all go test ./...", "w:1: GOFLAGS=-tags=all go test ./..."},
		"a part":            {golang, "go test -count=1 -v -coverprofile=c.out -timeout 3m ./a", ""},
		"features":          {rust, "cargo test --all-features", "w:1: cargo test --all-features"},
		"as it is":          {rust, "cargo test --locked", ""},
		"warnings":          {python, "python -m pytest -W error", "w:1: pytest -W error"},
		"reports":           {python, "pytest -v --cov=x --junitxml=a.xml test_a.py", ""},
		"its script":        {node, "npm test", ""},
		"another script":    {node, "npm run all", "w:1: mocha --spec x check all: ./other"},
		"integration tests": {maven, "mvn -B verify", "w:1: mvn -B verify"},
		"a phase":           {maven, "mvn -B -ntp test", ""},
		"checks":            {node, "eslint . && tsc --noEmit", ""},
		"a wider pattern":   {own, "node --test 'test/*.test.mjs' 'spec/*.mjs'", "w:1: node --test 'test/*.test.mjs' 'spec/*.mjs'"},
		"another pattern":   {own, "node --test spec/*.mjs", "w:1: node --test spec/*.mjs"},
		"one of a pattern":  {glob, "node --test test/a.test.mjs", ""},
		"no such name":      {glob, "node --test test/slow.mjs", "w:1: node --test test/slow.mjs"},
		"a part of it":      {own, "node --test test/unit/a.test.mjs", ""},
		"beside the paths":  {paths, "pytest checks", "w:1: pytest checks"},
		"other files":       {paths, "pytest -q checks/slow.py", "w:1: pytest -q checks/slow.py"},
		"one of the paths":  {paths, "pytest tests/test_b.py::test_c", ""},
		"a program":         {golang, "./own-tests --all", " check w:1: ./own-tests --all"},
		"a program of make": {rust, "make check", "w:1: make check"},
		"another folder":    {golang, "cd sub && go test ./...", "w:1: go test ./..."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := fixture.Files(t, c.files)
			found, err := Find(project.Here(), root, "", "")
			assert.NilError(t, err)
			more, err := found.Otherwise(project.Here(), root, "", Told{Line: c.line, Source: "w:1"})
			assert.NilError(t, err)

			got := ""
			if len(more.Notes) > 0 {
				got = more.Notes[0].What
			}
			for _, check := range more.Checks {
				got += " check " + check.Text
			}
			assert.Equal(t, got, c.want)
		})
	}
}
