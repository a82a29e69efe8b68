package ci

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// Programs by what calling them means, whatever their arguments are.
var programs = map[Kind][]string{
	Outward: {"gh", "twine", "docker", "docker-compose", "podman", "helm", "kubectl", "terraform", "aws", "gcloud", "az", "heroku", "vercel", "netlify", "firebase", "wrangler",
		"fly", "flyctl", "ssh", "scp", "rsync", "sftp", "curl", "wget", "codecov", "codecovcli", "coveralls", "semantic-release", "goreleaser", "gh-pages", "surge", "changeset", "release-it", "np"},
	System: {"apt", "apt-get", "brew", "yum", "dnf", "apk", "pacman", "choco", "winget", "snap"},
	Test: {"pytest", "py.test", "tox", "nox", "nosetests", "nose2", "stestr", "trial", "jest", "vitest", "mocha", "ava", "tap", "borp", "tape", "gotestsum", "ctest", "rspec", "phpunit",
		"karma", "wtr", "playwright", "cypress", "bnt", "uvu"},
	Build: {"tsup", "unbuild", "rollup", "webpack", "esbuild", "tsdown", "cmake", "ninja", "meson", "protoc", "buf", "cython"},
}

// scripts say what a script of a package, a target of a makefile or a recipe is for,
// by its name; the first that fits counts.
var scripts = []struct {
	kind Kind
	name *pattern.Pattern
}{
	{Outward, words(`deploy|publish|release|upload|push|ship|login|sync|prod`)},
	{Check, words(`lint|format|fmt|types?|typecheck|tsc|check-types|docs?|docset|size|bench|audit|stylecheck|typing`)},
	{Build, words(`build|compile|prepare|generate|gen|codegen|bundle|prebuild|pretest|transpile|proto|assets|rebuild`)},
	{Test, words(`test|tests|spec|unit|coverage|cover|cov|check|ci|e2e|integration|testsuite`)},
	{Install, words(`install|deps|bootstrap|setup|dev-deps`)},
}

func words(names string) *pattern.Pattern {
	return pattern.New(`(?i)(?:^|[:_./-])(?:` + names + `)(?:$|[:_./-])`)
}

// scriptKind is what a name says that a script is for.
func scriptKind(name string) Kind {
	for _, s := range scripts {
		if s.name.MatchString(name) {
			return s.kind
		}
	}
	return Other
}

// kindOf says what a command is for. What nobody knows is Other, and not run.
func kindOf(argv []string) Kind {
	for range 8 {
		next := through(argv)
		if len(next) == len(argv) {
			break
		}
		argv = next
	}
	if len(argv) == 0 {
		return Other
	}
	program, args := path.Base(argv[0]), argv[1:]
	if kind := known(program, args); kind != "" {
		return kind
	}
	for kind, names := range programs {
		if slices.Contains(names, program) {
			return kind
		}
	}
	if Checker(program) {
		return Check
	}
	return Other
}

// checkers are programs that look at code and run no tests of it.
var checkers = strings.Fields(`
	eslint eslint_d xo prettier tsd tstyche dtslint attw flow oxlint oxfmt standard semistandard ts-standard neostandard biome rome
	size-limit knip sherif publint stylelint tslint jshint jslint coffeelint htmlhint textlint remark markdownlint markdownlint-cli2 cspell alex ls-lint
	commitlint depcheck dependency-check dependency-cruiser depcruise madge ts-prune ts-unused-exports unimported type-coverage bundlesize bundlewatch jscpd
	es-check installed-check npm-package-json-lint npmPkgJsonLint license-checker syncpack manypkg changeset danger editorconfig-checker ec dprint
	vue-tsc svelte-check check-dts typedoc jsdoc documentation api-extractor codecov coveralls codeclimate are-the-types-wrong arethetypeswrong
	ajv-lint sort-package-json lockfile-lint audit-ci better-npm-audit snyk yamllint actionlint shellcheck hadolint
	mypy flake8 ruff black isort pylint pyright basedpyright pytype pyre bandit pydocstyle pycodestyle pyflakes vulture codespell pre-commit
	check-manifest twine sphinx-build mkdocs interrogate doc8 rstcheck pyroma towncrier validate-pyproject xenon radon safety pip-audit ty
	pyrefly zuban prek refurb pyupgrade djlint sqlfluff deptry lint-imports import-linter fawltydeps slotscheck flynt tach vermin zizmor check-jsonschema
	diff-cover diff-quality reuse blacken-docs mdformat docformatter autoflake pyproject-fmt tox-ini-fmt check-wheel-contents check-sdist griffe
	pyspelling proselint vale linkchecker lychee linkcheck pep517.check check-python-versions
	golangci-lint staticcheck gofmt gofumpt goimports govulncheck misspell revive`)

// Checker reports whether a program checks code and runs no tests of it.
func Checker(program string) bool { return slices.Contains(checkers, program) }

// through looks through programs that only start another one.
func through(argv []string) []string {
	if len(argv) < 2 {
		return argv
	}
	program, rest := path.Base(argv[0]), argv[1:]
	switch {
	case slices.Contains([]string{"sudo", "time", "nice", "npx", "bunx", "uvx", "xvfb-run", "dotenv", "cross-env", "c8", "nyc", "exec", "command", "pipx"}, program):
		if rest[0] == "run" && program == "pipx" {
			rest = rest[1:]
		}
		return skipOptions(rest)
	case slices.Contains([]string{"uv", "poetry", "pdm", "hatch", "pipenv", "rye", "pixi", "coverage"}, program) && rest[0] == "run":
		return moduleOf(skipOptions(rest[1:]), program == "coverage")
	case slices.Contains([]string{"pnpm", "yarn", "npm", "bun"}, program) && slices.Contains([]string{"exec", "dlx", "x"}, rest[0]):
		return skipOptions(rest[1:])
	case strings.HasPrefix(program, "python") && rest[0] == "-m" && len(rest) > 1 && !ownTests(rest[1]):
		return rest[1:]
	}
	for len(argv) > 1 && argv[0] == "--" {
		argv = argv[1:]
	}
	return argv
}

// ownTests reports whether a module of Python is one of a package's tests:
// shop.tests.runner.
func ownTests(module string) bool {
	return slices.ContainsFunc(strings.Split(module, ".")[1:], func(part string) bool { return part == "test" || part == "tests" })
}

// moduleOf takes the -m of "coverage run -m pytest" away.
func moduleOf(argv []string, module bool) []string {
	if module && len(argv) > 1 && argv[0] == "-m" {
		return argv[1:]
	}
	return argv
}

// valued are options of such programs that have a value behind them.
var valued = []string{"--python", "-p", "--with", "--group", "--only-group", "--extra", "--package", "-e", "--env", "-w", "--no-group", "--from", "--source", "-s", "--server-args", "--rcfile"}

func skipOptions(argv []string) []string {
	for len(argv) > 1 && strings.HasPrefix(argv[0], "-") && argv[0] != "-m" {
		if slices.Contains(valued, argv[0]) && len(argv) > 2 {
			argv = argv[1:]
		}
		argv = argv[1:]
	}
	for len(argv) > 1 && assignment(argv[0]) {
		argv = argv[1:]
	}
	return argv
}

func assignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && plainName.MatchString(name)
}

// known says what a command is for whose first argument decides; empty where it does
// not.
func known(program string, args []string) Kind {
	first := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			first = a
			break
		}
	}
	has := func(names ...string) bool { return slices.Contains(names, first) }
	switch program {
	case "npm", "pnpm", "yarn", "bun":
		return packageManager(program, first, args)
	case "pip", "pip3":
		return choose(has("install", "sync"), Install)
	case "uv":
		return choose(has("sync", "pip", "venv", "lock"), Install, has("publish"), Outward)
	case "poetry", "pdm", "pipenv", "hatch", "rye", "flit":
		return choose(has("install", "sync", "add"), Install, has("publish"), Outward, has("test"), Test)
	case "conda", "mamba", "bundle", "composer":
		return choose(has("install", "update", "create", "env"), Install)
	case "go":
		return choose(has("test"), Test, has("generate"), Build, has("mod", "get", "install"), Install, has("vet"), Check)
	case "cargo":
		return choose(has("test", "nextest"), Test, has("publish", "login"), Outward, has("clippy", "fmt"), Check, has("fetch"), Install)
	case "mvn", "mvnw", "gradle", "gradlew":
		switch {
		case slices.ContainsFunc(args, func(a string) bool { return scriptKind(a) == Outward }):
			return Outward
		case slices.ContainsFunc(args, func(a string) bool { return a == "verify" || a == "test" || a == "check" || a == "package" }):
			return Test
		}
	case "make", "just", "task", "poe", "rake", "invoke", "inv":
		return recipe(first, args)
	case "cp", "mv":
		return choose(samples.MatchString(path.Base(first)) && !slices.ContainsFunc(args, beyond), Build)
	case "git":
		return choose(has("push", "tag", "commit"), Outward, true, Other)
	case "node", "deno":
		if slices.Contains(args, "--test") || program == "deno" && first == "test" {
			return Test
		}
		return byFile(first)
	case "tsc":
		return choose(slices.Contains(args, "--noEmit"), Check, true, Build)
	case "vite", "next", "turbo", "nx", "lerna", "wireit", "lage":
		all := strings.Join(args, " ")
		return choose(scriptKind(first) == Outward, Outward, words(`test`).MatchString(strings.ReplaceAll(all, " ", ":")), Test, words(`build`).MatchString(strings.ReplaceAll(all, " ", ":")), Build)
	case "unittest":
		return Test
	case "tox", "nox":
		return environments(args)
	case "bash", "sh":
		return byFile(first)
	}
	if strings.HasPrefix(program, "python") {
		return python(first, args)
	}
	if ext := path.Ext(program); ext == ".sh" || ext == ".py" {
		return byFile(program)
	}
	return ""
}

// choose gives the kind behind the first condition that holds.
func choose(cases ...any) Kind {
	for i := 0; i+1 < len(cases); i += 2 {
		if holds, _ := cases[i].(bool); holds {
			kind, _ := cases[i+1].(Kind)
			return kind
		}
	}
	return ""
}

// packageManager is what a call of npm and its like is for.
func packageManager(program, first string, args []string) Kind {
	switch first {
	case "ci", "install", "i", "add", "link":
		if slices.Contains(args, "-g") || slices.Contains(args, "--global") {
			return Other
		}
		return Install
	case "publish", "login", "token", "dist-tag", "version", "deprecate", "adduser", "whoami", "deploy":
		return Outward
	case "test", "t", "tst":
		return Test
	case "":
		asks := func(a string) bool { return slices.Contains([]string{"--version", "-v", "--help", "-h"}, a) }
		return choose(program == "yarn" && !slices.ContainsFunc(args, asks), Install)
	case "run", "run-script", "rum":
		for i, a := range args {
			if a == first {
				return scriptOf(args[i+1:])
			}
		}
		return Other
	case "workspaces", "workspace":
		return scriptOf(args[slices.Index(args, first)+1:])
	}
	if program == "npm" {
		return ""
	}
	if kind := scriptKind(first); kind != Other { // yarn and pnpm need no "run"
		return kind
	}
	if i := slices.Index(args, first); i >= 0 && program != "bun" {
		return kindOf(args[i:])
	}
	return Other
}

func scriptOf(args []string) Kind {
	for _, a := range args {
		if kind := scriptKind(strings.Trim(a, "/^$")); !strings.HasPrefix(a, "-") && kind != Other {
			return kind
		}
	}
	return Other
}

// samples are files that a checkout has in the place of those that git ignores, and that
// its tests read: .env.example, settings_local.py.dist, database.ci.yml.
var samples = pattern.New(`(?i)[._-](?:example|sample|template|tmpl|dist|defaults?|ci|test|testing)(?:[._-]|$)`)

// beyond reports whether an argument names a file outside of the checkout.
func beyond(arg string) bool {
	return strings.HasPrefix(arg, "~") || !strings.HasPrefix(arg, "-") && !filepath.IsLocal(arg)
}

// recipe is what a target of a makefile is for. One without a name builds.
func recipe(first string, args []string) Kind {
	if first == "" || first == "all" {
		return choose(slices.Contains(args, "-C"), Other, true, Build)
	}
	return scriptKind(first)
}

// environments is what a call of tox or nox is for, by the names of what it runs.
func environments(args []string) Kind {
	if slices.Contains(args, "--notest") || slices.Contains(args, "--list") || slices.Contains(args, "--install-only") {
		return Install
	}
	for i, a := range args[:max(0, len(args)-1)] {
		if slices.Contains([]string{"-e", "-f", "-s", "--session", "--sessions"}, a) && slices.Contains([]Kind{Check, Outward}, scriptKind(args[i+1])) {
			return scriptKind(args[i+1])
		}
	}
	return Test
}

// byFile goes by the name of a script.
func byFile(name string) Kind {
	if name == "" {
		return ""
	}
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	kind := scriptKind(base)
	if kind == Other && starts.MatchString(base) && ofTests.MatchString(path.Dir(name)) {
		return Test
	}
	return kind
}

// starts is a script of a folder of tests that runs them.
var (
	starts  = pattern.New(`(?i)^(?:__)?(?:run|main|all|index|suite)`)
	ofTests = pattern.New(`(?i)(?:^|/)(?:tests?|specs?)(?:$|/)`)
)

func python(first string, args []string) Kind {
	if len(args) > 1 && args[0] == "-m" && ownTests(args[1]) {
		return Test
	}
	switch path.Base(first) {
	case "setup.py":
		all := strings.Join(args, " ")
		return choose(strings.Contains(all, "upload") || strings.Contains(all, "register"), Outward, strings.Contains(all, "test"), Test,
			strings.Contains(all, "build") && !strings.Contains(all, "bdist"), Build, strings.Contains(all, "develop") || strings.Contains(all, "install"), Install)
	case "manage.py":
		return choose(slices.Contains(args, "test"), Test, slices.Contains(args, "migrate"), Other)
	case ".", "":
		return ""
	}
	return byFile(first)
}
