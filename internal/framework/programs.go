package framework

import (
	"slices"
	"strings"
)

// set makes a table of words.
func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// runner is the framework in the table that a program starts.
func runner(program, verb string) string {
	for _, a := range table {
		if slices.Contains(a.Signs.Programs, program) || verb != "" && slices.Contains(a.Signs.Programs, program+" "+verb) {
			return a.Name
		}
	}
	return ""
}

var (
	checkPrograms = set(`eslint eslint_d xo prettier tsd tstyche dtslint attw flow oxlint oxfmt standard semistandard ts-standard neostandard biome rome
		size-limit knip sherif publint stylelint tslint jshint jslint coffeelint htmlhint textlint remark markdownlint markdownlint-cli2 cspell alex ls-lint
		commitlint depcheck dependency-check dependency-cruiser depcruise madge ts-prune ts-unused-exports unimported type-coverage bundlesize bundlewatch jscpd
		es-check installed-check npm-package-json-lint npmPkgJsonLint license-checker syncpack manypkg changeset danger editorconfig-checker ec dprint
		vue-tsc svelte-check check-dts typedoc jsdoc documentation api-extractor codecov coveralls codeclimate are-the-types-wrong arethetypeswrong
		ajv-lint sort-package-json lockfile-lint audit-ci better-npm-audit snyk yamllint actionlint shellcheck hadolint
		mypy flake8 ruff black isort pylint pyright basedpyright pytype pyre bandit pydocstyle pycodestyle pyflakes vulture codespell pre-commit
		check-manifest twine sphinx-build mkdocs interrogate doc8 rstcheck pyroma towncrier validate-pyproject xenon radon safety pip-audit ty
		golangci-lint staticcheck gofmt gofumpt goimports govulncheck misspell revive`)
	preparePrograms = set(`react-scripts craco react-app-rewired rollup tsup tsdown esbuild webpack webpack-cli rspack babel swc unbuild obuild rimraf mkdir cp rm mv ln touch chmod mkdirp make-dir del del-cli
		cpy cpx cpx2 copyfiles ncp shx cpr trash node-gyp node-pre-gyp prebuild prebuildify prebuild-install node-gyp-build napi cmake-js cmake tshy pkgroll microbundle
		parcel ncc peggy pegjs nearleyc antlr4 antlr4ts tree-sitter wasm-pack asc cargo sass postcss tailwindcss prisma graphql-codegen patch-package husky tar unzip
		curl wget sed docker docker-compose wait-on kill-port buf protoc zshy bunchee rslib father dts dts-bundle-generator browserify uglifyjs terser lessc
		pip pip3 python-build tsc-alias resolve-tspaths tsconfig-replace-paths mkdist ngc ng-packagr preconstruct bob yalc git bower downlevel-dts cat jq`)
	browserPrograms = set(`karma wtr web-test-runner cypress playwright wdio testcafe nightwatch testem airtap zuul polendina test-storybook ember codeceptjs electron-mocha xvfb-run xvfb-maybe protractor detox`)
	nothingPrograms = set(`echo printf true : exit set export cd unset sleep wait false pwd ls which umask exec command is-ci is-ci-cli date rem`)
)

// classOf tells a program's class by what it is called and its first words;
// "" is not known.
func classOf(program string, args []string) (kind class, framework string) {
	verb := ""
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
		verb = args[i]
	}
	if f := runner(program, verb); f != "" {
		return suite, f
	}
	if by, ok := verbs[program]; ok {
		for kind, list := range by {
			if list[verb] {
				return kind, ""
			}
		}
	}
	switch {
	case checkPrograms[program]:
		return check, ""
	case preparePrograms[program]:
		return preparation, ""
	case browserPrograms[program]:
		return browser, ""
	case nothingPrograms[program]:
		return nothing, ""
	}
	return "", ""
}

// verbs are programs whose first argument tells what they do.
var verbs = map[string]map[class]map[string]bool{
	"go":              {check: set("vet fmt list version"), preparation: set("build generate mod install get")},
	"vite":            {preparation: set("build optimize"), service: {"": true, "dev": true, "serve": true, "preview": true}},
	"playwright":      {preparation: set("install install-deps")},
	"cypress":         {preparation: set("install verify cache")},
	"ng":              {browser: set("test e2e"), preparation: set("build"), check: set("lint"), service: set("serve")},
	"next":            {preparation: set("build"), check: set("lint"), service: set("dev start")},
	"nuxt":            {preparation: set("build prepare generate"), service: set("dev start")},
	"nuxi":            {preparation: set("build prepare generate"), check: set("typecheck")},
	"astro":           {preparation: set("build sync"), check: set("check"), service: set("dev preview")},
	"svelte-kit":      {preparation: set("sync")},
	"svelte-package":  {preparation: {"": true}},
	"vue-cli-service": {preparation: set("build"), check: set("lint"), service: set("serve"), browser: set("test:e2e")},
	"wp-scripts":      {preparation: set("build"), check: set("lint-js lint-style lint-md-docs lint-pkg-json"), browser: set("test-e2e")},
	"aegir":           {preparation: set("build"), check: set("lint ts dep-check doc-check check-project")},
	"gts":             {check: set("check lint fix")},
	"tsdx":            {preparation: set("build"), check: set("lint")},
	"gulp":            {preparation: set("build clean scripts styles compile"), check: set("lint eslint jshint")},
	"grunt":           {preparation: set("build clean"), check: set("lint jshint eslint")},
	"c8":              {check: set("report check-coverage")},
	"nyc":             {check: set("report check-coverage merge instrument")},
	"coverage":        {check: set("report"), nothing: set("combine html xml json lcov annotate debug erase")},
	"uv":              {preparation: set("pip sync lock venv build export add remove python cache version tree")},
	"poetry":          {preparation: set("install sync lock build add update"), check: set("check version show")},
	"pdm":             {preparation: set("install sync lock build add update"), check: set("info list")},
	"deno":            {check: set("lint fmt check doc")},
	"git":             {check: set("diff status")},
	"docker":          {unknown: set("run exec")},
	"cargo":           {unknown: set("test nextest"), check: set("clippy fmt")},
	"webpack":         {service: set("serve watch")},
	"ember":           {preparation: set("build"), check: set("lint")},
	"storybook":       {preparation: set("build"), service: set("dev")},
	"hatch":           {preparation: set("build clean dep env version"), check: set("fmt")},
	"setup.py":        {unknown: set("test"), preparation: set("build build_ext develop install clean sdist bdist_wheel"), check: set("check")},
	"npm":             {preparation: set("install ci i rebuild link prune dedupe"), check: set("audit ls list pack version outdated publish pkg view")},
	"pnpm":            {preparation: set("install i rebuild link prune fetch"), check: set("audit ls list pack version outdated publish")},
	"yarn":            {preparation: set("install link"), check: set("audit list pack version outdated publish npm check dedupe constraints")},
	"bun":             {preparation: set("install i build link"), check: set("audit outdated publish pm")},
}
