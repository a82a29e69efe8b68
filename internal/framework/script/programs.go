package script

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/shell"
)

// set makes a table of words.
func set(list string) map[string]bool { return each.Set(strings.Fields(list)) }

// Runner is what a script must know of a framework to see its tests run.
type Runner struct {
	Name string
	// Programs start it: "jest", or with their first argument, "go test".
	Programs []string
	// Dropped are options of a script that are not handed on to it; true for
	// those that a value follows.
	Dropped map[string]bool
}

// Runners are those of all frameworks.
type Runners []Runner

// of is the framework that a program starts.
func (rs Runners) of(program, verb string) string {
	for _, r := range rs {
		if slices.Contains(r.Programs, program) || verb != "" && slices.Contains(r.Programs, program+" "+verb) {
			return r.Name
		}
	}
	return ""
}

// kept are the arguments of a leaf that its framework is given.
func (rs Runners) kept(l Leaf) []string {
	for _, r := range rs {
		if r.Name == l.Framework && len(r.Dropped) > 0 {
			return shell.Without(l.Args, r.Dropped)
		}
	}
	return l.Args
}

var (
	preparePrograms = set(`react-scripts craco react-app-rewired rollup tsup tsdown esbuild webpack webpack-cli rspack babel swc unbuild obuild rimraf mkdir cp rm mv ln touch chmod mkdirp make-dir del del-cli
		cpy cpx cpx2 copyfiles ncp shx cpr trash node-gyp node-pre-gyp prebuild prebuildify prebuild-install node-gyp-build napi cmake-js cmake tshy pkgroll microbundle
		parcel ncc peggy pegjs nearleyc antlr4 antlr4ts tree-sitter wasm-pack asc sass postcss tailwindcss prisma graphql-codegen patch-package husky tar unzip
		curl wget sed docker docker-compose wait-on kill-port buf protoc zshy bunchee rslib father dts dts-bundle-generator browserify uglifyjs terser lessc
		pip pip3 python-build tsc-alias resolve-tspaths tsconfig-replace-paths mkdist ngc ng-packagr preconstruct bob yalc git bower downlevel-dts cat jq`)
	browserPrograms = set(`karma wtr web-test-runner cypress playwright wdio testcafe nightwatch testem airtap zuul polendina test-storybook ember codeceptjs electron-mocha xvfb-run xvfb-maybe protractor detox`)
	servicePrograms = set(`sphinx-autobuild http-server live-server browser-sync json-server`)
	nothingPrograms = set(`echo printf true : exit set export cd unset sleep wait false pwd ls which umask exec command is-ci is-ci-cli date rem`)
)

// classOf tells a program's class by what it is called and its first words;
// "" is not known.
func (rs Runners) classOf(program string, args []string) (kind class, framework string) {
	verb := ""
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
		verb = args[i]
	}
	if listed[program] { // "mvn -P ci clean verify" verifies
		if i := slices.IndexFunc(args, func(a string) bool { return rs.of(program, a) != "" }); i >= 0 {
			verb = args[i]
		}
	}
	if f := rs.of(program, verb); f != "" {
		return Suite, f
	}
	if by, ok := verbs[program]; ok {
		for kind, list := range by {
			if list[verb] {
				return kind, ""
			}
		}
	}
	switch {
	case ci.Checker(program):
		return Check, ""
	case preparePrograms[program]:
		return Preparation, ""
	case browserPrograms[program]:
		return Browser, ""
	case servicePrograms[program]:
		return Service, ""
	case nothingPrograms[program]:
		return Nothing, ""
	}
	return "", ""
}

var cargoPrepares = set(`add bench build b check c clean config d doc fetch fix generate-lockfile info init install locate-project metadata new package pkgid
	publish remove rm run r rustc rustdoc tree uninstall update vendor version binstall component ndk wasi expand bundle dist auditable`)

// listed are programs that are told a list of what to do.
var listed = set("mvn mvnw gradle gradlew")

// verbs are programs whose first argument tells what they do.
var verbs = map[string]map[class]map[string]bool{
	"go":              {Check: set("vet fmt list version"), Preparation: set("build generate mod install get")},
	"vite":            {Preparation: set("build optimize"), Service: {"": true, "dev": true, "serve": true, "preview": true}},
	"playwright":      {Preparation: set("install install-deps")},
	"cypress":         {Preparation: set("install verify cache")},
	"ng":              {Browser: set("test e2e"), Preparation: set("build"), Check: set("lint"), Service: set("serve")},
	"next":            {Preparation: set("build"), Check: set("lint"), Service: set("dev start")},
	"nuxt":            {Preparation: set("build prepare generate"), Service: set("dev start")},
	"nuxi":            {Preparation: set("build prepare generate"), Check: set("typecheck")},
	"astro":           {Preparation: set("build sync"), Check: set("check"), Service: set("dev preview")},
	"svelte-kit":      {Preparation: set("sync")},
	"svelte-package":  {Preparation: {"": true}},
	"vue-cli-service": {Preparation: set("build"), Check: set("lint"), Service: set("serve"), Browser: set("test:e2e")},
	"wp-scripts":      {Preparation: set("build"), Check: set("lint-js lint-style lint-md-docs lint-pkg-json"), Browser: set("test-e2e")},
	"aegir":           {Preparation: set("build"), Check: set("lint ts dep-check doc-check check-project")},
	"gts":             {Check: set("check lint fix")},
	"ts-scripts":      {Preparation: set("build install"), Check: set("check lint format config")},
	"tsdx":            {Preparation: set("build"), Check: set("lint")},
	"gulp":            {Preparation: set("build clean scripts styles compile"), Check: set("lint eslint jshint")},
	"grunt":           {Preparation: set("build clean"), Check: set("lint jshint eslint")},
	"c8":              {Check: set("report check-coverage")},
	"nyc":             {Check: set("report check-coverage merge instrument")},
	"coverage":        {Check: set("report"), Nothing: set("combine html xml json lcov annotate debug erase")},
	"uv":              {Preparation: set("pip sync lock venv build export add remove python cache version tree")},
	"poetry":          {Preparation: set("install sync lock build add update"), Check: set("check version show")},
	"pdm":             {Preparation: set("install sync lock build add update"), Check: set("info list")},
	"deno":            {Check: set("lint fmt check doc bench publish outdated audit"), Preparation: set("install cache compile bundle add ci approve-scripts"), Nothing: set("coverage clean info types")},
	"git":             {Check: set("diff status")},
	"docker":          {Unknown: set("run exec")},
	"dts":             {Unknown: set("test")},
	"father":          {Unknown: set("test")},
	"cargo":           {Unknown: set("test nextest"), Check: set("clippy fmt"), Preparation: cargoPrepares}, // another word may be an alias of test
	"webpack":         {Service: set("serve watch")},
	"ember":           {Preparation: set("build"), Check: set("lint")},
	"storybook":       {Preparation: set("build"), Service: set("dev")},
	"hatch":           {Preparation: set("build clean dep env version"), Check: set("fmt")},
	"setup.py":        {Unknown: set("test"), Preparation: set("build build_ext develop install clean sdist bdist_wheel"), Check: set("check")},
	"npm":             {Preparation: set("install ci i rebuild link prune dedupe"), Check: set("audit ls list pack version outdated publish pkg view")},
	"pnpm":            {Preparation: set("install i rebuild link prune fetch"), Check: set("audit ls list pack version outdated publish")},
	"yarn":            {Preparation: set("install link"), Check: set("audit list pack version outdated publish npm check dedupe constraints")},
	"bun":             {Preparation: set("install i build link"), Check: set("audit outdated publish pm")},
}
