package framework

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/script"
)

// read follows the script "test" of a package.json with these scripts, beside
// other files.
func follow(t testing.TB, scripts map[string]string, files map[string]string) ([]script.Leaf, []script.Note) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"scripts": scripts})
	assert.NilError(t, err)
	all := maps.Clone(files)
	if all == nil {
		all = map[string]string{}
	}
	if all["package.json"] == "" {
		all["package.json"] = string(raw)
	}
	r := script.NewReader(runners(), func(name string) ([]byte, bool) {
		text, ok := all[name]
		return []byte(text), ok
	})
	r.Script("test", script.Spot{Dir: "."}, nil)
	return r.Out, r.Notes
}

// row is a leaf as the tests below write it: class, [env] {node} (wrapper) line.
func row(l script.Leaf) string {
	kind := string(l.Class)
	if l.Class == script.Suite {
		kind = l.Framework
	}
	out := kind + ":"
	if l.Dir != "." {
		out += " <" + l.Dir + ">"
	}
	if len(l.Env) > 0 {
		out += " [" + strings.Join(l.Env, " ") + "]"
	}
	if len(l.Node) > 0 {
		out += " {" + strings.Join(l.Node, " ") + "}"
	}
	if len(l.Wrapper) > 0 {
		out += " (" + strings.Join(l.Wrapper, " ") + ")"
	}
	if len(l.Through) > 0 {
		out += " " + strings.Join(l.Through, " ")
	}
	if l.Class == script.Suite || l.Class == script.Packages {
		return out + " " + strings.TrimSpace(l.Program+" "+strings.Join(l.Args, " "))
	}
	return out + " " + l.Line
}

func TestLeaves(t *testing.T) {
	t.Parallel()
	type m = map[string]string
	for name, c := range map[string]struct {
		scripts m
		files   m
		want    []string
		note    string
	}{
		"one":                    {scripts: m{"test": "vitest run --typecheck"}, want: []string{"vitest: vitest run --typecheck"}},
		"two runners in a chain": {scripts: m{"test": "node --test && jest"}, want: []string{"nodetest: node --test", "jest: jest"}},
		"a chain with checks": {
			scripts: m{"test": "xo && c8 ava && tsd"}, want: []string{"check: xo", "ava: (c8) ava", "check: tsd"},
		},
		"sequence":    {scripts: m{"test": "eslint . && jest -i ; mocha"}, want: []string{"check: eslint .", "jest: jest -i", "mocha: mocha"}},
		"quotes":      {scripts: m{"test": `mocha "test/**/*.js" --grep 'a b'`}, want: []string{"mocha: mocha test/**/*.js --grep a b"}},
		"environment": {scripts: m{"test": "cross-env NODE_OPTIONS=--experimental-vm-modules TZ=UTC npx jest"}, want: []string{"jest: [NODE_OPTIONS=--experimental-vm-modules TZ=UTC] jest"}},
		"an environment of its leaf": {
			scripts: m{"test": "TZ=UTC jest a && TZ=Asia/Tokyo jest a && jest"}, want: []string{"jest: [TZ=UTC] jest a", "jest: [TZ=Asia/Tokyo] jest a", "jest: jest"},
		},
		"exported":     {scripts: m{"test": "export TZ=UTC; jest && (export A=1 && mocha); mocha b"}, want: []string{"jest: [TZ=UTC] jest", "mocha: [TZ=UTC A=1] mocha", "mocha: [TZ=UTC] mocha b"}},
		"node":         {scripts: m{"test": "node --experimental-vm-modules -r ./a.js node_modules/jest/bin/jest.js -i"}, want: []string{"jest: {--experimental-vm-modules -r ./a.js} jest -i"}},
		"node wrapper": {scripts: m{"test": "node wrapper.js mocha lib"}, want: []string{"mocha: node wrapper.js mocha lib"}},
		"node --run":   {scripts: m{"test": "node --run unit", "unit": "mocha"}, want: []string{"mocha: mocha"}},
		"a file of a package": {
			scripts: m{"test": "node ../../node_modules/typescript56/lib/tsc.js --noEmit && node -r ./a.js node_modules/eslint/bin/eslint.js . && tsx node_modules/own/run.js", "build": "node node_modules/typescript/lib/tsc.js"},
			want:    []string{"check: node ../../node_modules/typescript56/lib/tsc.js --noEmit", "check: node -r ./a.js node_modules/eslint/bin/eslint.js .", "unknown: {--import tsx} tsx node_modules/own/run.js"},
		},
		"own file":         {scripts: m{"test": "node tests/all.js"}, want: []string{"unknown: node tests/all.js"}},
		"binary":           {scripts: m{"test": "./node_modules/.bin/mocha lib"}, want: []string{"mocha: mocha lib"}},
		"wrapper":          {scripts: m{"test": "c8 --reporter lcov --all mocha test"}, want: []string{"mocha: (c8 --reporter lcov --all) mocha test"}},
		"wrapper's report": {scripts: m{"test": "nyc mocha && nyc report && c8 check-coverage"}, want: []string{"mocha: (nyc) mocha", "check: nyc report", "check: c8 check-coverage"}},
		"followed":         {scripts: m{"test": "npm run build && npm run unit -- --bail", "unit": "nyc mocha", "build": "tsc"}, want: []string{"preparation: tsc", "mocha: (nyc) mocha --bail"}},
		"type check":       {scripts: m{"test": "tsc --noEmit && jest"}, want: []string{"check: tsc --noEmit", "jest: jest"}},
		"type check by its configuration": {
			scripts: m{"test": "tsc -p test && jest"}, files: m{"test/tsconfig.json": `{"extends": "../base"}`, "base.json": `{"compilerOptions": {"noEmit": true}}`},
			want: []string{"check: tsc -p test", "jest: jest"},
		},
		"pre and post": {
			scripts: m{"pretest": "node gen.js && rimraf out", "test": "mocha", "posttest": "eslint ."},
			want:    []string{"preparation: node gen.js", "preparation: rimraf out", "mocha: mocha", "check: eslint ."},
		},
		"pretest tests": {scripts: m{"pretest": "jest", "test": "mocha"}, want: []string{"jest: jest", "mocha: mocha"}},
		"by their scripts' names": {
			scripts: m{"test": "npm run lint && npm run build && npm run test:types && npm run test:own", "lint": "node lint.js", "build": "node build.js", "test:types": "node types.js", "test:own": "node own.js"},
			want:    []string{"check: node lint.js", "preparation: node build.js", "check: node types.js", "unknown: node own.js"},
		},
		"what the compiler tests": {
			scripts: m{"test": "ava && npm run test-types", "test-types": "tsc && ts-node test/types/pino.ts && ts-node test/types.js && tsx test/kinds.ts"},
			want:    []string{"ava: ava", "preparation: tsc", "check: ts-node test/types/pino.ts", "unknown: ts-node test/types.js", "unknown: tsx test/kinds.ts"},
		},
		"yarn, pnpm, bun": {
			scripts: m{"test": "yarn a && pnpm b && bun run c && yarn jest && pnpm exec vitest && bunx mocha", "a": "mocha", "b": "vitest", "c": "jest x"},
			want:    []string{"mocha: mocha", "vitest: vitest", "jest: jest x", "jest: jest", "vitest: vitest", "mocha: mocha"},
		},
		"bun's own runner":        {scripts: m{"test": "bun test"}, want: []string{"bun: bun test"}},
		"by pattern":              {scripts: m{"test": "pnpm run /^test:/", "test:b": "jest", "test:a": "mocha"}, want: []string{"mocha: mocha", "jest: jest"}},
		"several":                 {scripts: m{"test": "run-s a b", "a": "mocha", "b": "jest"}, want: []string{"mocha: mocha", "jest: jest"}},
		"several by pattern":      {scripts: m{"test": "npm-run-all -p test:*", "test:a": "mocha", "test:a:b": "vitest", "test:c": "jest"}, want: []string{"mocha: mocha", "jest: jest"}},
		"any depth":               {scripts: m{"test": "run-p 'test:**'", "test:a": "mocha", "test:a:b": "vitest"}, want: []string{"mocha: mocha", "vitest: vitest"}},
		"concurrently":            {scripts: m{"test": `concurrently -n a,b "npm:test:*" "jest --ci"`, "test:a": "mocha"}, want: []string{"mocha: mocha", "jest: jest --ci"}},
		"a missing script":        {scripts: m{"test": "run-s a b", "a": "mocha"}, want: []string{"mocha: mocha", "unknown: run-s b"}, note: "runs a script that is not there: b"},
		"a missing script of npm": {scripts: m{"test": "npm run a -- x && npm run b --if-present && yarn run jest"}, want: []string{"unknown: npm run a -- x", "jest: jest"}, note: "runs a script that is not there: a"},
		"a folder nobody knows":   {scripts: m{"test": "cd $HOME && jest && npm run a", "a": "cd .. && mocha"}, want: []string{"unknown: cd $HOME && jest && npm run a"}},
		"itself":                  {scripts: m{"test": "npm test"}, note: `script "test" runs itself`},
		"circle":                  {scripts: m{"test": "npm run a", "a": "npm test"}, note: `script "test" runs itself`},
		"beside a circle":         {scripts: m{"test": "npm run a && mocha", "a": "npm test; jest"}, want: []string{"jest: jest", "mocha: mocha"}, note: `script "test" runs itself`},
		"other packages":          {scripts: m{"test": "npm test --workspaces"}, want: []string{"packages: npm test"}},
		"recursive":               {scripts: m{"test": "pnpm -r test"}, want: []string{"packages: pnpm test"}},
		"foreach":                 {scripts: m{"test": "yarn workspaces foreach -A run test:unit"}, want: []string{"packages: yarn test:unit"}},
		"a filter nobody reads": {
			scripts: m{"test": "turbo run test --filter=...[main]"}, want: []string{"unknown: turbo run test --filter=...[main]"}, note: "chooses packages by a pattern that is not read: ...[main]",
		},
		"lerna": {scripts: m{"test": "lerna run test --stream"}, want: []string{"packages: lerna test"}},
		"nx":    {scripts: m{"test": "nx run-many -t test,lint --parallel 3"}, want: []string{"packages: nx test lint"}},
		"turbo with its builds": {
			scripts: m{"test": "turbo run test"}, files: m{"turbo.json": `{"tasks": {"test": {"dependsOn": ["^build"]}}}`},
			want: []string{"preparation: turbo run build", "packages: turbo test"},
		},
		"turbo with the build of one package": {
			scripts: m{"test": "turbo run test"}, files: m{"turbo.json": `{"tasks": {"test": {"dependsOn": ["@acme/config#build", "@acme/config#lint", "^test"]}}}`},
			want: []string{"preparation: turbo run build --filter=@acme/config", "packages: turbo test"},
		},
		"built everywhere first": {scripts: m{"test": "pnpm -r build && pnpm -r test"}, want: []string{"preparation: pnpm -r build", "packages: pnpm test"}},
		"another folder":         {scripts: m{"test": "cd sub && jest && cd .. && mocha"}, want: []string{"jest: <sub> jest", "mocha: mocha"}},
		"a package by its folder": {
			scripts: m{"test": "npm --prefix sub test"}, files: m{"sub/package.json": `{"scripts": {"test": "mocha"}}`}, want: []string{"mocha: <sub> mocha"},
		},
		"tsx":                     {scripts: m{"test": "tsx node_modules/mocha/bin/mocha.js"}, want: []string{"mocha: {--import tsx} mocha"}},
		"tsx --test":              {scripts: m{"test": "tsx --test a.ts"}, want: []string{"nodetest: {--import tsx} node --test a.ts"}},
		"open quote":              {scripts: m{"test": `mocha "a`}, want: []string{`unknown: mocha "a`}},
		"empty":                   {scripts: m{"test": "true"}},
		"no test":                 {scripts: m{"test": `echo "Error: no test specified" && exit 1`}},
		"consolation":             {scripts: m{"test": "jest || true; mocha || exit 1; ava || echo no"}, want: []string{"jest: jest", "mocha: mocha", "ava: ava"}},
		"the other way":           {scripts: m{"test": "jest || mocha"}, want: []string{"jest: jest", "mocha: mocha"}},
		"redirected":              {scripts: m{"test": "jest > out.txt 2>&1 && ava --tap | tap-dot"}, want: []string{"jest: jest", "ava: ava --tap"}},
		"piped into":              {scripts: m{"test": "cat all.js | node"}, want: []string{"unknown: cat all.js | node"}},
		"variables":               {scripts: m{"test": "jest ${CI:+--ci} $OPTIONS --x=${X:-1}"}, want: []string{"jest: jest --x=1"}},
		"a shell's words":         {scripts: m{"test": "A=1 jest $(cat list)"}, want: []string{"unknown: A=1 jest $(cat list)"}},
		"the machine's variables": {scripts: m{"test": "PATH=$PATH:x mocha"}, want: []string{"unknown: PATH=$PATH:x mocha"}},
		"control":                 {scripts: m{"test": "if [ -d a ]; then jest; fi"}, want: []string{"unknown: if [ -d a ]; then jest; fi"}},
		"a condition":             {scripts: m{"test": "npm run a && mocha", "a": "[ -n \"$CI\" ] && karma start"}, want: []string{"browser: [ -n \"$CI\" ] && karma start", "mocha: mocha"}},
		"what is prepared for development": {
			scripts: m{"test": "npm run dev:prepare && vitest run && npm run build", "dev:prepare": "own-builder --stub", "build": "npm run dev:prepare && own-builder"},
			want:    []string{"preparation: own-builder --stub", "vitest: vitest run", "preparation: own-builder --stub", "preparation: own-builder"},
		},
		"a server for development": {scripts: m{"test": "npm run dev && jest", "dev": "own-server"}, want: []string{"unknown: npm run dev && jest"}},
		"a server beside":          {scripts: m{"test": "node server.js & jest"}, want: []string{"unknown: node server.js & jest"}},
		"a server by its name": {
			scripts: m{"test": `concurrently -k -s first "npm start" "cypress run"`, "start": "node server.js"},
			want:    []string{`browser: concurrently -k -s first "npm start" "cypress run"`},
		},
		"browsers": {scripts: m{"test": "karma start && wtr a && playwright test && playwright install"}, want: []string{"browser: karma start", "browser: wtr a", "browser: playwright test", "preparation: playwright install"}},
		"dotenv":   {scripts: m{"test": "dotenv -e .env.test -- jest"}, files: m{".env.test": "# x\nA=1\nexport B='2'\nnone\n"}, want: []string{"jest: [A=1 B=2] jest"}},
		"wireit": {
			files: m{"package.json": `{"scripts": {"test": "wireit", "build": "wireit"}, "wireit": {"build": {"command": "tsc"}, "test": {"command": "mocha", "dependencies": ["build"]}}}`},
			want:  []string{"preparation: tsc", "mocha: mocha"},
		},
		"wireit with scripts that it alone knows": {
			files: m{"package.json": `{"scripts": {"test": "wireit"}, "wireit": {"generate": {"command": "node gen.js", "dependencies": ["files"]}, "files": {"files": ["a"]}, "test": {"command": "mocha", "dependencies": ["generate"]}}}`},
			want:  []string{"preparation: node gen.js", "mocha: mocha"},
		},
		"wireit that runs what several need once": {
			files: m{"package.json": `{"scripts": {"test": "wireit", "unit": "wireit", "dom": "wireit", "build": "wireit"}, "wireit": {"build": {"command": "tsc"}, "unit": {"command": "mocha", "dependencies": ["build"]}, "dom": {"command": "jest", "dependencies": ["build"]}, "test": {"dependencies": ["unit", "dom"]}}}`},
			want:  []string{"preparation: tsc", "mocha: mocha", "jest: jest"},
		},
		"wireit with an unread script that npm cannot run": {
			files: m{"package.json": `{"scripts": {"test": "wireit"}, "wireit": {"unit": {"command": "mocha", "dependencies": ["gone"]}, "test": {"dependencies": ["unit"]}}}`},
			want:  []string{"unknown: npm run test"}, note: "wireit: what it depends on is not found here: gone",
		},
		"wireit that needs what is not read": {
			files: m{"package.json": `{"scripts": {"test": "wireit"}, "wireit": {"test": {"command": "mocha", "dependencies": ["../other:test", "gone"]}}}`},
			want:  []string{"unknown: npm run test"}, note: "wireit: what it depends on is not found here: ../other:test",
		},
		"wireit that cannot be read": {
			files: m{"package.json": `{"scripts": {"test": "wireit"}, "wireit": {"test": ["mocha"]}}`},
			want:  []string{"unknown: npm run test"}, note: "wireit: its section in package.json cannot be read",
		},
		"turbo with other tests before": {
			scripts: m{"test": "turbo run test", "test:root": "jest"}, files: m{"turbo.json": "{\n  // all\n  \"tasks\": {\"test\": {\"dependsOn\": [\"^build\", \"test:unit\", \"lint\", \"//#test:root\"]}, \"test:unit\": {\"dependsOn\": [\"test:db\"]}},\n}"},
			want: []string{"preparation: turbo run build", "jest: jest", "packages: turbo test test:unit test:db"},
		},
		"deno's task": {
			scripts: m{"test": "deno task -q unit -x"}, files: m{"deno.jsonc": `{"tasks": {"unit": {"command": "deno test -A", "dependencies": ["gen"]}, /* first */ "gen": "deno run gen.ts",},}`},
			want: []string{"preparation: deno run gen.ts", "deno: deno test -A -x"},
		},
		"deno's tasks": {
			scripts: m{"test": "deno task 'test:*' && deno lint && deno task own"},
			files:   m{"deno.json": `{"tasks": {"test:a": "deno test a && node --test", "test:b": "deno test --doc b; deno coverage out", "own": "npm run more", "test": "deno task test"}}`},
			want:    []string{"deno: deno test a", "nodetest: node --test", "deno: deno test --doc b", "check: deno lint", "unknown: npm run more"}, note: "runs a script that is not there: more",
		},
		"deno's task of package.json": {scripts: m{"test": "deno task unit", "unit": "mocha"}, want: []string{"mocha: mocha"}},
		"deno's task elsewhere": {
			scripts: m{"test": "deno task -r test && deno task --cwd sub test && deno task gone"}, files: m{"deno.json": `{"tasks": {"test": "deno test"}}`},
			want: []string{"unknown: deno task -r test", "unknown: deno task --cwd sub test", "unknown: deno task gone"}, note: "runs a task that is not there: gone",
		},
		"a task of deno that runs itself": {scripts: m{"test": "deno task a"}, files: m{"deno.json": `{"tasks": {"a": "deno task a; deno test"}}`}, want: []string{"deno: deno test"}, note: "task a runs itself"},
		"make": {
			scripts: m{"test": "make test"},
			files:   m{"Makefile": "BIN := node_modules/.bin\n.PHONY: test\ntest: lint unit\n\t@$(BIN)/mocha --reporter dot \\\n\t  lib\nlint:\n\t$(BIN)/eslint .\nunit:\n\t-jest\n"},
			want:    []string{"check: node_modules/.bin/eslint .", "jest: jest", "mocha: mocha --reporter dot lib"},
		},
		"make alone knows": {
			scripts: m{"test": "make check"}, files: m{"Makefile": "check:\n\tmocha $(shell ls)\n"}, want: []string{"unknown: make check"},
		},
		"make by conditions": {scripts: m{"test": "make test"}, files: m{"Makefile": "ifdef CI\ntest:\n\tjest\nelse\ntest:\n\tmocha\nendif\n"}, want: []string{"unknown: make test"}},
		"no makefile":        {scripts: m{"test": "make test"}, want: []string{"unknown: make test"}},
		"just":               {scripts: m{"test": "just test"}, files: m{"justfile": "bin := 'node_modules/.bin'\n\ntest: build\n    {{bin}}/mocha\n\nbuild:\n  @rollup -c\n"}, want: []string{"preparation: rollup -c", "mocha: mocha"}},
		"cargo by another word": {
			scripts: m{"test": "cargo build && cargo xt && cargo llvm-cov --lcov && cargo +nightly test && cargo run --bin gen"},
			want:    []string{"preparation: cargo build", "unknown: cargo xt", "unknown: cargo llvm-cov --lcov", "unknown: cargo +nightly test", "preparation: cargo run --bin gen"},
		},
		"python": {
			scripts: m{"test": "python -m pytest -q tests && coverage run -m pytest && python3 -m unittest && coverage report && mypy ."},
			want:    []string{"pytest: pytest -q tests", "pytest: (coverage run) pytest", "unittest: unittest", "check: coverage report", "check: mypy ."},
		},
		"through uv": {scripts: m{"test": "uv run --group dev pytest && poetry run py.test"}, want: []string{"pytest: pytest", "pytest: py.test"}},
		"scripts of pdm, pipenv and rye": {
			scripts: m{"test": "pdm run test -x && pdm run all && pdm run call && pipenv run test && rye run test && pdm run pytest d"},
			files: m{
				"pyproject.toml": "[tool.pdm.scripts]\ntest = 'pytest a'\nlint.cmd = ['ruff', 'check']\nall = {composite = ['lint', 'test b', 'python -m unittest']}\ncall = {call = 'x:y'}\n[tool.rye.scripts]\ntest = {cmd = 'pytest e'}\n",
				"Pipfile":        "[scripts]\ntest = 'pytest c'\n",
			},
			want: []string{"pytest: pytest a -x", "check: ruff check", "pytest: pytest a b", "unittest: unittest", "unknown: pdm run call", "pytest: pytest c", "pytest: pytest e", "pytest: pytest d"},
		},
		"a script of pdm that runs itself": {
			scripts: m{"test": "pdm run a"}, files: m{"pyproject.toml": "[tool.pdm.scripts]\na = 'pdm run a'\n"}, want: []string{"unknown: pdm run a"},
		},
		"go": {scripts: m{"test": "go vet ./... && go test -race ./... && gotestsum -- -short ./..."}, want: []string{"check: go vet ./...", "gotest: go test -race ./...", "gotest: gotestsum test -short ./..."}},
		"tox that changes its environment": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = py, min\n[testenv]\ncommands =\n  pytest\n  coverage combine\n  coverage report\n[testenv:min]\ncommands =\n  uv pip install x==1\n  pytest\n"},
			want: []string{"pytest: pytest", "check: coverage report", "pytest: pytest"},
		},
		"tox": {
			scripts: m{"test": "tox -e py,lint"}, files: m{"tox.ini": "[tox]\nenvlist = py, lint\n[testenv]\ncommands =\n  pip install x\n  pytest {posargs:tests} --basetemp={envtmpdir}\n[testenv:lint]\ncommands = ruff check .\n"},
			want: []string{"preparation: mkdir -p .tox/py/tmp", "pytest: pytest tests --basetemp=.tox/py/tmp", "check: ruff check ."},
		},
		"tox away from the sources": {
			scripts: m{"test": "tox -e py"}, files: m{"pkg/__init__.py": "", "src/other.py": "", "tox.ini": "[testenv]\nchangedir = .tox\ncommands = pytest --doctest-modules {env_site_packages_dir}/pkg {envsitepackagesdir}/other.py {tox_root}/tests\n"},
			want: []string{"pytest: pytest --doctest-modules pkg src/other.py tests"},
		},
		"tox and a module that is nowhere": {
			scripts: m{"test": "tox -e py"}, files: m{"tox.ini": "[testenv]\ncommands = pytest {envsitepackagesdir}/pkg\n"},
			want: []string{"unknown: tox -e py"}, note: "tox alone knows some of environment py: it is run by tox",
		},
		"checkers of types": {scripts: m{"test": "pyrefly check && pytest && prek run --all-files"}, want: []string{"check: pyrefly check", "pytest: pytest", "check: prek run --all-files"}},
		"nox": {
			scripts: m{"test": "nox"}, files: m{"noxfile.py": "import nox\nnox.options.sessions = [\"tests\", \"lint\"]\n@nox.session\ndef tests(session):\n    session.install('.')\n    session.run('pytest', '-x', *session.posargs, env={'A': '1'})\n@nox.session\ndef lint(session):\n    session.run(\"flake8\")\n@nox.session\ndef docs(session):\n    session.run('make')\n"},
			want: []string{"pytest: [A=1] pytest -x", "check: flake8"},
		},
		"nox with documentation that is served": {
			scripts: m{"test": "nox"}, files: m{"noxfile.py": "import nox\n@nox.session\ndef tests(session):\n    session.run('pytest')\n@nox.session\ndef docs(session):\n    session.run('sphinx-autobuild', 'docs', 'out', '--watch', 'src')\n"},
			want: []string{"pytest: pytest"}, note: "the session docs serves pages and does not end by itself: it is left out",
		},
		"nox with comments and texts of several lines": {
			scripts: m{"test": "nox"}, files: m{"noxfile.py": "import nox\nARGS = [  # what's (left\n    'b',  # not c, d\n]\n@nox.session\ndef tests(session):\n    \"\"\"Calls session.run('pytest', 'never') like \"that\".\"\"\"\n    session.run('pytest', 'a#1')  # don't (\n    # session.run('pytest', 'c')\n    session.run(\n        'pytest',  # isn't, is it\n        *ARGS  # it's\n    )\n"},
			want: []string{"pytest: pytest a#1", "pytest: pytest b"},
		},
		"nox that asks for another session": {
			scripts: m{"test": "nox"}, files: m{"noxfile.py": "import nox\n@nox.session\ndef tests(s: nox.Session) -> None:\n    s.run('pytest', 'a')\n    s.notify('more')\n@nox.session(\n    default=False,\n)\ndef more(s):\n    s.run('pytest', 'b')\n@nox.session(default=False)\ndef never(s):\n    s.run('pytest', 'c')\n"},
			want: []string{"pytest: pytest a", "pytest: pytest b"},
		},
		"nox through a function": {
			scripts: m{"test": "nox -s tests"}, files: m{"noxfile.py": "import nox\ndef both(session):\n    session.run('pytest', 'a')\n@nox.session\ndef tests(session):\n    both(session)\n"},
			want: []string{"unknown: nox -s tests"}, note: "Python alone knows what it runs, and with what: it is run by nox",
		},
		"tox spreads a suite over processes, which see sets in one order": {
			scripts: m{"test": "tox -e py"}, files: m{"tox.ini": "[testenv]\ncommands = pytest -n auto x\n"},
			want: []string{"pytest: [PYTHONHASHSEED=1] pytest -n auto x"},
		},
		"tox with a seed of its own": {
			scripts: m{"test": "tox -e py"}, files: m{"tox.ini": "[testenv]\nset_env = PYTHONHASHSEED=7\ncommands = pytest -n auto x\n"},
			want: []string{"pytest: [PYTHONHASHSEED=7] pytest -n auto x"},
		},
		"tox, which writes its arguments": {
			scripts: m{"test": "tox -e py -- -k x"}, files: m{"tox.ini": "[testenv]\nchangedir = sub\nsetenv =\n  A = {toxinidir}/lib{:}{env:B:c}\ncommands = pytest {posargs:d} {toxinidir}/e\n"},
			want: []string{"pytest: <sub> [A=../lib:c] pytest -k x ../e"},
		},
		"ts-scripts": {
			scripts: m{"test": "ts-scripts test && npm run size", "size": "size-limit"},
			want:    []string{"preparation: ts-scripts build --no-clean", "check: ts-scripts check", "vitest: vitest run", "check: size-limit"},
		},
		"specs of ts-scripts": {scripts: m{"test": "ts-scripts specs --coverage"}, want: []string{"vitest: vitest run"}},
		"ts-scripts with suites of its own": {
			scripts: m{"test": "ts-scripts test"}, files: m{"package.json": `{"scripts":{"test":"ts-scripts test"},"ts-scripts":{"test":[{"dir":"a"}]}}`},
			want: []string{"unknown: ts-scripts test"},
		},
		"some specs of ts-scripts": {scripts: m{"test": "ts-scripts specs a.spec.ts"}, want: []string{"unknown: ts-scripts specs a.spec.ts"}},
		"tox with another interpreter": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = py38, pypy3\n[testenv]\ncommands = pytest --mypy\n[testenv:pypy3]\ncommands = pytest\n"},
			want: []string{"pytest: pytest --mypy"},
		},
		"tox with another interpreter alone": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = pypy3\n[testenv]\ncommands = pytest\n"},
			want: []string{"pytest: pytest"},
		},
		"tox in several environments": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = py{38-310}-{a,b},lint\n[testenv]\ncommands =\n  pytest x\n  b: pytest y\n[testenv:{lint,docs}]\ncommands = ruff check\n"},
			want: []string{"pytest: pytest x", "pytest: pytest x", "pytest: pytest y", "check: ruff check"},
		},
		"tox in several environments of one interpreter each": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = 3.1{0-4}-tests,py{38,39}\n[testenv]\ncommands =\n  tests: pytest -n 2\n  py38: pytest a\n  py39: pytest b\n[testenv:3.1{0,4}-tests]\ncommands = coverage run -m pytest\n"},
			want: []string{"pytest: [PYTHONHASHSEED=1] pytest -n 2", "pytest: pytest a", "pytest: pytest b"},
		},
		"tox with tests in what checks": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = py, py-mypy, typing-x\n[testenv]\ncommands =\n  !mypy: pytest\n  mypy: pytest -k mypy\n[testenv:typing-x]\ncommands =\n  x\n  pytest tests/test_x.py\n"},
			want: []string{"pytest: pytest", "check: pytest -k mypy", "check: x", "check: pytest tests/test_x.py"},
			note: "an environment of tox that checks runs a part of the suite, with requirements of its own; that is not run: pytest -k mypy",
		},
		"tox with checks of spelling, links and packages": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = py, checkspelling, spelling, checklinks, pep517check, manual\n[testenv]\ncommands = pytest\n[testenv:checkspelling]\ncommands = ./words\n[testenv:spelling]\ncommands = ./words all\n[testenv:checklinks]\ncommands = ./links\n[testenv:pep517check]\ncommands = ./builds\n[testenv:manual]\ncommands =\n  python -m pyspelling -j 4\n  python -m pep517.check .\n"},
			want: []string{"pytest: pytest", "check: ./words", "check: ./words all", "check: ./links", "check: ./builds", "check: pyspelling -j 4", "check: pep517.check ."},
		},
		"tox that builds in an environment of its own": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = release, made, py\n[testenv]\ndepends = made\ncommands = pytest\n[testenv:release]\ncommands =\n  check-manifest\n  python -m build\n  twine check dist/*\n[testenv:made]\ncommands = python setup.py build_ext\n"},
			want: []string{"check: check-manifest", "check: build", "check: twine check dist/*", "preparation: setup.py build_ext", "pytest: pytest"},
		},
		"nox that builds in a session of its own": {
			scripts: m{"test": "nox"}, files: m{"noxfile.py": "import nox\n\n@nox.session\ndef build(session):\n    session.install(\"build\")\n    session.run(\"python\", \"-m\", \"build\")\n\n@nox.session\ndef tests(session):\n    session.install(\"-e\", \".\")\n    session.run(\"pytest\")\n"},
			want: []string{"check: build", "pytest: pytest"},
		},
		"tox with tests whose outcome it ignores": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = py, warnings\n[testenv]\ncommands = ./runtests.py\n[testenv:warnings]\nignore_outcome = True\ncommands = python -Werror ./runtests.py\n"},
			want: []string{"unknown: ./runtests.py", "check: python -Werror ./runtests.py"},
			note: "tox ignores the outcome of an environment (ignore_outcome); what it tests is not run: python -Werror ./runtests.py",
		},
		"tox in TOML with tests whose outcome it ignores": {
			scripts: m{"test": "tox"}, files: m{"tox.toml": "env_list = ['py', 'next']\n[env_run_base]\ncommands = [['pytest']]\n[env.next]\nignore_outcome = true\ncommands = [['pytest', 'new']]\n"},
			want: []string{"pytest: pytest", "check: pytest new"},
			note: "tox ignores the outcome of an environment (ignore_outcome); what it tests is not run: pytest new",
		},
		"tox with nothing but tests whose outcome it ignores": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[testenv]\nignore_outcome = true\ncommands = pytest\n"},
			want: []string{"pytest: pytest"},
		},
		"tox with tests in what checks alone": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[tox]\nenvlist = lint, docs\n[testenv]\ncommands = pytest docs\n[testenv:lint]\ncommands = pytest lint\n"},
			want: []string{"pytest: pytest lint", "pytest: pytest docs"},
		},
		"tox alone knows": {
			scripts: m{"test": "tox"}, files: m{"tox.ini": "[testenv]\nsetenv = A = {homedir}\ncommands = pytest\n"},
			want: []string{"unknown: tox -e py"}, note: "tox alone knows some of environment py: it is run by tox",
		},
		"hatch by a template": {
			scripts: m{"test": "hatch -e other run test -x"}, files: m{"pyproject.toml": "[tool.hatch.envs.default]\nenv-vars = {A = '1'}\n[tool.hatch.envs.default.scripts]\ntest = 'pytest {args:a}'\n[tool.hatch.envs.other.scripts]\nmore = 'pytest b'\n"},
			want: []string{"pytest: [A=1] pytest -x"},
		},
		"a makefile with others": {
			scripts: m{"test": "make a && make b"}, files: m{"Makefile": "include x.mk\nexport A = 1\na:\n\tjest\nb: c\n\tjest\n"},
			want: []string{"jest: [A=1] jest", "unknown: make b"},
		},
		"concurrently without some": {
			scripts: m{"test": `concurrently "npm:test:*(!b)"`, "test:a:x": "mocha", "test:b": "jest"}, want: []string{"mocha: mocha"},
		},
		"hatch": {
			scripts: m{"test": "hatch run cov"}, files: m{"pyproject.toml": "[tool.hatch.envs.default.scripts]\ntest = \"pytest {args:tests}\"\ncov = [\"test\", \"coverage report\"]\n"},
			want: []string{"pytest: pytest tests", "check: coverage report"},
		},
		"hatch test": {scripts: m{"test": "hatch test"}, want: []string{"pytest: pytest"}},
		"comment":    {scripts: m{"test": "jest # && mocha"}, want: []string{"jest: jest"}},
		"newlines":   {scripts: m{"test": "jest\nmocha \\\n lib"}, want: []string{"jest: jest", "mocha: mocha lib"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			leaves, notes := follow(t, c.scripts, c.files)
			var got []string
			for _, l := range leaves {
				got = append(got, row(l))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("leaves (-want +got):\n%s", diff)
			}
			if (c.note != "") != (len(notes) > 0) || c.note != "" && !slices.ContainsFunc(notes, func(n script.Note) bool { return n.Why == c.note }) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}

// However long a script is, nothing of it is left out: it is one command then.
func TestLongScripts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ part, last string }{{"mocha a && ", "jest"}, {"(", "jest"}, {"npm run a && ", "jest"}} {
		for _, size := range []int{2 << 10, 200 << 10} {
			line := strings.Repeat(c.part, size/len(c.part)) + c.last
			leaves, _ := follow(t, map[string]string{"test": line, "a": "mocha a"}, nil)
			if len(leaves) != 1 || leaves[0].Class != script.Unknown || leaves[0].Line != line {
				t.Errorf("%d times %q: %d leaves", size/len(c.part), c.part, len(leaves))
			}
		}
	}
	scripts := map[string]string{"test": "npm run s0", "s40": "jest"}
	for i := range 40 { // 2 to the 40 ways
		scripts[fmt.Sprint("s", i)] = fmt.Sprintf("npm run s%d && npm run s%d", i+1, i+1)
	}
	leaves, _ := follow(t, scripts, nil)
	assert.Assert(t, len(leaves) > 0 && len(leaves) <= script.MaxLeaves)
	for _, l := range leaves {
		assert.Assert(t, l.Class == script.Unknown && strings.HasPrefix(l.Line, "npm run s"), l.Line)
	}
}

func FuzzLeaves(f *testing.F) {
	for _, s := range []string{
		"a && (b || c) | d > e", "npm run a -- 'x", "make test", "tox", "nox -s a", "hatch run a:b", "concurrently \"npm:*\" 'a b'", "dotenv -e x --", "npx -p",
		"node --test a* | b", "cd .. && npm --prefix x t", "uv run -p", "coverage run", "python -m", "c8", "yarn workspace", "pnpm run /(/", "x=${", "a\\", "timeout",
	} {
		f.Add(s, "test: a\n\tjest $(X)\n[testenv]\ncommands = pytest {posargs}\ndef a(session):\n  session.run('x'")
	}
	f.Fuzz(func(t *testing.T, line, file string) {
		leaves, _ := follow(t, map[string]string{"test": line, "a": line}, map[string]string{
			"Makefile": file, "tox.ini": file, "noxfile.py": file, "pyproject.toml": file, "justfile": file, ".env": file, "turbo.json": file,
		})
		if len(leaves) > 2*script.MaxLeaves {
			t.Errorf("%d leaves", len(leaves))
		}
		for _, l := range leaves {
			if l.Class == "" || l.Class == script.Nothing || l.Line == "" && l.Class != script.Packages || strings.HasPrefix(l.Dir, "..") {
				t.Errorf("%q gives %+v", line, l)
			}
			if l.Class == script.Suite && l.Framework == "" {
				t.Errorf("%q: a suite of no framework: %+v", line, l)
			}
		}
	})
}

// TestShown: a value with spaces is one word where the line is carried out as it is shown.
func TestShown(t *testing.T) {
	t.Parallel()
	leaves, _ := follow(t, map[string]string{"test": `cross-env NODE_OPTIONS="--enable-source-maps --no-warnings" EMPTY= TZ=UTC uvu test`}, nil)
	assert.Equal(t, leaves[0].Shown(), "NODE_OPTIONS='--enable-source-maps --no-warnings' EMPTY= TZ=UTC uvu test")
}
