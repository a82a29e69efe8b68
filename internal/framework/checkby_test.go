package framework

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
)

func checkOf(dir, line string) Check {
	return Check{Run: adapter.Detection{Dir: dir, Origin: adapter.Origin{Line: line}}}
}

// What a command starts and runs by is told from what it looks at.
func TestStarted(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"node tools/lint.js lib.js":                "tools/lint.js",
		"node --import tsx tools/lint.ts src/a.ts": "tsx tools/lint.ts",
		"FOO=1 ./tools/lint src":                   "tools/lint",
		"python -m tools.lint src":                 "tools/lint",
		"python -W error tools/lint.py x.py":       "error tools/lint.py",
		"eslint --config rules/own.js lib.js":      "rules/own.js eslint",
		"npx eslint --rulesdir=rules lib.js":       "rules eslint",
		"jq -e .ok data.json":                      "jq",
		"cat a.json | node tools/same.js b.json":   "cat tools/same.js",
		"( bash -e ci/check.sh x.sh )":             "ci/check.sh",
		"if [ -f a ]; then sh ci/b.sh; fi":         "[ a ci/b.sh fi",
		"uv run mypy -p shop":                      "shop mypy",
		"eslint ../up.js":                          "eslint",
	} {
		files := checkOf("", line).Basis().Files
		for _, f := range strings.Fields(want) {
			assert.Assert(t, strings.Contains(" "+strings.Join(files, " ")+" ", " "+f+" "), "%s: %v", line, files)
		}
		assert.Equal(t, len(files), len(strings.Fields(want)), "%s: %v", line, files)
	}
}

// Only what makes a program say more or less of the same code counts, and only of the
// program that a check runs.
func TestRules(t *testing.T) {
	t.Parallel()
	type file struct{ name, now, was string }
	for _, tc := range []struct {
		check   Check
		file    file
		differs bool
	}{
		{checkOf("", "eslint ."), file{".eslintrc.json", "{}", `{"a":1}`}, true},
		{checkOf("", "eslint ."), file{"eslint.config.mjs", "a", "b"}, true},
		{checkOf("", "eslint ."), file{"src/.eslintignore", "a", ""}, true},
		{checkOf("web", "eslint ."), file{"api/.eslintrc.json", "{}", `{"a":1}`}, false},
		{checkOf("", "eslint ."), file{"src/eslint.js", "a", "b"}, false},
		{checkOf("", "eslint ."), file{"package.json", `{"eslintConfig": {"rules": 1}, "version": "2"}`, `{"eslintConfig": {"rules": 2}, "version": "1"}`}, true},
		{checkOf("", "eslint ."), file{"package.json", `{"version": "2", "jest": {}}`, `{"version": "1"}`}, false},
		{checkOf("", "ruff check ."), file{"pyproject.toml", "[tool.ruff.lint]\nselect = []\n", "[tool.ruff.lint]\nselect = ['E']\n"}, true},
		{checkOf("", "ruff check ."), file{"pyproject.toml", "[project]\nversion = '2'\n[tool.ruff]\n", "[project]\nversion = '1'\n[tool.ruff]\n"}, false},
		{checkOf("", "python -m mypy shop"), file{"setup.cfg", "[mypy-shop.*]\nignore_errors = 1\n", "[mypy]\n"}, true},
		{checkOf("", "flake8"), file{".flake8", "a", "b"}, true},
		{checkOf("", "golangci-lint run"), file{".golangci.yml", "a", "b"}, true},
		{checkOf("", "go vet ./..."), file{".go-version", "1", "2"}, false},
		{checkOf("", "git diff --exit-code"), file{".gitignore", "1", "2"}, false},
		{checkOf("", "tsc --noEmit"), file{"tsconfig.json", `{"compilerOptions": {"strict": false}}`, `{"compilerOptions": {"strict": true}}`}, true},
		{checkOf("", "tsc --noEmit"), file{"tsconfig.json", `{"exclude": ["a"]}`, `{}`}, true},
		{checkOf("", "tsc --noEmit"), file{"tsconfig.json", `{"compilerOptions": {"strict": true, "jsx": "react", "paths": {}}}`, `{"compilerOptions": {"strict": true /* all */,}}`}, false},
		{checkOf("", "eslint ."), file{"tsconfig.json", `{"compilerOptions": {"strict": false}}`, `{"compilerOptions": {"strict": true}}`}, false},
		{checkOf("", "cargo clippy"), file{"clippy.toml", "a", "b"}, true},
		{checkOf("", "prettier --check ."), file{".editorconfig", "a", "b"}, true},
	} {
		basis := tc.check.Basis()
		now, was := basis.Rules(tc.file.name, []byte(tc.file.now)), basis.Rules(tc.file.name, []byte(tc.file.was))
		assert.Equal(t, basis.Known(tc.file.name) && string(now) != string(was), tc.differs, "%s: %v", tc.check.Run.Line, tc.file)
		if !tc.differs {
			continue
		}
		laid := basis.WithRules(tc.file.name, []byte(tc.file.now), []byte(tc.file.was))
		again := basis.Rules(tc.file.name, laid)
		assert.Equal(t, strings.Join(strings.Fields(string(again)), ""), strings.Join(strings.Fields(string(was)), ""), "%s: %v", tc.check.Run.Line, tc.file)
	}
	kept := string(checkOf("", "tsc").Basis().WithRules("tsconfig.json", []byte(`{"compilerOptions": {"strict": false, "jsx": "react"}}`), []byte(`{"compilerOptions": {"strict": true}}`)))
	assert.Assert(t, strings.Contains(kept, `"strict": true`) && strings.Contains(kept, `"jsx": "react"`), kept)
}
