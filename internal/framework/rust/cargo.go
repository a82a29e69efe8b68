// Package rust holds the adapter of cargo test.
package rust

import (
	"bytes"
	"cmp"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// Cargo describes cargo test of packages and workspaces, and cargo-nextest where a
// script or .config/nextest.toml asks for it.
//
// The report of cargo test is its standard output: what the compiler says as JSON,
// and the text of libtest. A runner that we give it says which program begins, for
// tests of two programs may have one name. Nextest writes JUnit and runs no
// documentation tests. Coverage takes cargo-llvm-cov.
var Cargo = adapter.Adapter{
	Name:       "cargo",
	Language:   "rust",
	Signs:      adapter.Signs{Programs: []string{"cargo test", "cargo t", "cargo nextest"}},
	Habits:     adapter.Habits{Verb: "test", Parallel: true, SuiteProblems: true, Silent: true, Apart: apart},
	Invocation: cargoInvocation,
	IsTest: func(file string) bool {
		return path.Ext(file) == ".rs" && (strings.Contains("/"+file, "/tests/") || language.Named("rust").Tests.Names.MatchString(path.Base(file)))
	},
	TestPath: func(source string, _ []string) string {
		root, _, _ := strings.Cut("/"+source, "/src/")
		return path.Join(strings.TrimPrefix(root, "/"), "tests", path.Base(source))
	},
	Forbidden: []language.Smell{
		{Rule: "ignored", Line: pattern.New(`#\[ignore\b`), Why: "a skipped test proves nothing"},
		{Rule: "sleep", Line: pattern.New(`\bthread::sleep\s*\(`), Why: "waiting makes tests slow and flaky"},
		{Rule: "lint-off", Line: pattern.New(`#!?\[allow\b`), Why: "it silences a tool instead of heeding it"},
		{Rule: "process", Line: pattern.New(`\bprocess::(?:exit|abort|Command)\b`), Why: "tests start no programs and end no runner"},
	},
	Reproduce: func(d adapter.Detection, c qa.Case) string {
		if d.Has(nextest) { // its options are no other's
			d.Args = nil
		}
		line := append([]string{"cargo", "test"}, limited(d, adapter.Select([]qa.Case{c}))...)
		return shell.InDir(d.Dir, wording.Command(line))
	},
	Explain: diagnosis.New(cargoCauses).Explain,
	Locate:  locateRust,
	Trace:   &adapter.Trace{Read: readBuilt},
	Detect:  detectCargo,
}

// What a project has of its own.
const nextest, ownRunner = "nextest", "runner"

func detectCargo(p *project.Project) *adapter.Detection {
	m, there := readCargo(p.Tree, p.Dir)
	if !there || inWorkspace(p, m) || len(p.Calls) == 0 && p.Dir != "." && m.Package != nil && !testsInside(p) {
		return nil
	}
	d := &adapter.Detection{Tools: adapter.Tools{Program: []string{"cargo"}}}
	d.Prove(adapter.RankConfig, "Cargo.toml")
	if m.Workspace != nil {
		d.Args = []string{"--workspace"}
	}
	own := p.Exists(path.Join(p.Dir, ".config/nextest.toml"))
	if l, ok := p.Call("cargo"); ok {
		d.Scripted(l)
		if d.Args, own, ok = cargoArgs(l.Args); !ok {
			return nil
		}
	}
	_, err := p.Machine.LookPath("cargo-nextest")
	if own && err == nil {
		d.Plugins = append(d.Plugins, nextest)
	}
	// Somebody else's runner is not replaced: programs may be of another machine. Nor
	// are flags of the compiler, for what else is set gives way to ours.
	settings, _ := p.Installed(p.Dir, p.Up(p.Dir, ".cargo/config.toml"))
	if bytes.Contains(settings, []byte("runner")) {
		d.Plugins = append(d.Plugins, ownRunner)
	}
	switch _, err := p.Machine.LookPath("cargo-llvm-cov"); {
	case err != nil:
		d.CoverageHint = "coverage cannot be measured without cargo-llvm-cov; run: cargo install cargo-llvm-cov && rustup component add llvm-tools"
	case !d.Has(nextest) && (d.Has(ownRunner) || bytes.Contains(settings, []byte("rustflags"))):
		d.CoverageHint = "coverage is not measured beside the runner or rustflags of .cargo/config.toml"
	default:
		d.Coverage, d.CoverageTool = true, "llvm-cov"
	}
	_, err = p.Machine.LookPath("cargo")
	if d.Installed = err == nil; err != nil {
		d.Hint = diagnosis.Diagnosis{Kind: diagnosis.Missing, Cause: "cargo is not on PATH", Cure: "install Rust (https://rustup.rs)"}
	}
	return d
}

// cargoArgs takes out of a script's arguments what chooses reports; ok is false for
// what only lists or builds.
func cargoArgs(args []string) (kept []string, next, ok bool) {
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "+") })
	if len(args) == 0 || slices.Contains(args, "--no-run") || slices.Contains(args, "--list") {
		return nil, false, false
	}
	next = args[0] == nextest
	if next && len(args) > 1 && (args[1] == "run" || args[1] == "r") {
		args = args[1:]
	}
	return featured(shell.Without(args[1:], map[string]bool{
		"--no-fail-fast": false, "--message-format": true, "--color": true, "-q": false, "--quiet": false, "-v": false, "--verbose": false, "-vv": false,
		"--nocapture": false, "--no-capture": false, "--show-output": false, "--format": true, "--fail-fast": false, "--profile-junit": false,
	})), next, true
}

// cargoRunner says which program begins, and how one ended that did not end well: cargo
// has one exit code for all of them. cargoMeasure also exports what ran of it, by the
// tools that cargo-llvm-cov installs: cargo llvm-cov itself leaves documentation tests out.
const (
	cargoBegins = `printf '\n     Running %s\n' "$1"
`
	cargoEnds = `[ $code = 0 ] || printf '\n     Ended %s %s\n' $code "$1"
exit $code
`
	cargoRunner = cargoBegins + `"$@"
code=$?
` + cargoEnds
	cargoMeasure = cargoBegins + `out=$(dirname "$0") name=$(basename "$1") bin=$(rustc --print target-libdir)/../bin
LLVM_PROFILE_FILE="$out/$name-%p-%m.profraw" "$@"
code=$?
"$bin/llvm-profdata" merge -sparse "$out"/*.profraw -o "$out/$name.profdata" &&
"$bin/llvm-cov" export -format=lcov -instr-profile="$out/$name.profdata" "$1" >"$out/$name.info"
` + cargoEnds
)

func cargoInvocation(d adapter.Detection, req adapter.Request) (qa.Invocation, error) {
	inv := qa.Invocation{Dir: d.Dir, Env: append([]string{"CARGO_TERM_COLOR=never", "RUST_BACKTRACE=0"}, d.Env...)}
	if d.Has(nextest) {
		inv.Argv = nextestArgs(&inv, d, req)
		return inv, nil
	}
	argv := append(slices.Clone(d.Program), "test", "--no-fail-fast", "--message-format=json")
	if !d.Has(ownRunner) {
		const all = `target."cfg(all())".`
		inv.Files = map[string]string{"runner.sh": cargoRunner}
		argv = append(argv, "--config", all+`runner=["sh",`+strconv.Quote(path.Join(req.OutDir, "runner.sh"))+`]`)
		if req.Coverage && d.Coverage {
			inv.Files["runner.sh"] = cargoMeasure
			inv.Coverage = []qa.ReportFile{{Path: path.Join(req.OutDir, "*.info"), Format: "lcov"}}
			argv = append(argv, "--config", all+`rustflags=["-Cinstrument-coverage"]`)
		}
	}
	var threads []string
	if req.Parallel > 0 {
		threads = []string{"--test-threads=" + strconv.Itoa(req.Parallel)}
	}
	inv.Argv = append(argv, limited(d, req.Tests, threads...)...)
	inv.Tests = []qa.ReportFile{{Path: "stdout", Format: "libtest", Stdout: true}}
	return inv, nil
}

// limited are the arguments of the script, and what limits it to tests; more is for the
// programs of the tests.
func limited(d adapter.Detection, tests []adapter.Selected, more ...string) []string {
	before, own := d.Args, []string(nil)
	if i := slices.Index(d.Args, "--"); i >= 0 {
		before, own = d.Args[:i], d.Args[i+1:]
	}
	programs, names := cargoSelect(tests)
	if len(programs) > 0 && programs[0] != inSources {
		before = shell.Without(before, map[string]bool{"--workspace": false, "--all": false, "--all-targets": false, "--lib": false, "--doc": false, "-p": true, "--package": true, "--test": true})
	}
	if own = slices.Concat(own, more); len(names) == 0 && len(own) > 0 {
		names = []string{"--"}
	}
	return slices.Concat(before, programs, names, own)
}

// nextestArgs has the repository's profile write JUnit, too.
func nextestArgs(inv *qa.Invocation, d adapter.Detection, req adapter.Request) []string {
	report, config, profile := path.Join(req.OutDir, "junit.xml"), path.Join(req.OutDir, "nextest.toml"), path.Join(req.OutDir, "lcov.info")
	named := cmp.Or(shell.LastOption(d.Args, "--profile"), cmp.Or(shell.LastOption(d.Args, "-P"), "default"))
	inv.Files = map[string]string{"nextest.toml": "[profile." + strconv.Quote(named) + ".junit]\npath = " + strconv.Quote(report) + "\n"}
	inv.Tests = []qa.ReportFile{{Path: report, Format: "junit"}}
	argv := append(slices.Clone(d.Program), nextest, "run")
	if req.Coverage && d.Coverage {
		argv = append(slices.Clone(d.Program), "llvm-cov", nextest, "--lcov", "--output-path="+profile)
		inv.Coverage = []qa.ReportFile{{Path: profile, Format: "lcov"}}
	}
	argv = append(argv, "--no-fail-fast", "--tool-config-file=qa:"+config)
	if req.Parallel > 0 {
		argv = append(argv, "--test-threads="+strconv.Itoa(req.Parallel))
	}
	var tests []string
	for _, t := range req.Tests {
		tests = append(tests, "binary_id(="+t.Suite+") & test(="+t.Name+")")
	}
	if len(tests) > 0 && !adapter.Whole(req.Tests) {
		argv = append(argv, "-E", strings.Join(tests, " | "))
	}
	return append(argv, d.Args...)
}

// inSources chooses the programs of all tests but those of the documentation.
const inSources = "--tests"

// rustModule is the module that a source file is, empty for one that is a whole program.
func rustModule(file string) string {
	i := strings.LastIndex("/"+file, "/src/")
	if i < 0 || strings.HasPrefix(file[i:], "src/bin/") {
		return ""
	}
	name := strings.TrimSuffix(strings.TrimSuffix(file[i+len("src/"):], ".rs"), "/mod")
	if name == "lib" || name == "main" {
		return ""
	}
	return strings.ReplaceAll(name, "/", "::")
}

// cargoSelect gives the programs of selected tests, and their names for libtest. A
// suite is called as nextest calls a program: pack, pack::api, pack::bin/tool.
func cargoSelect(tests []adapter.Selected) (programs, names []string) {
	packages, exact := map[string]bool{}, true
	if len(tests) == 1 && tests[0].Suite == "" && tests[0].Name == "" && language.Named("rust").HasInline(tests[0].File) {
		// Of which program a module is, its file does not tell.
		if module := rustModule(tests[0].File); module != "" {
			names = []string{"--", module + "::"}
		}
		return []string{inSources}, names
	}
	add := func(words ...string) {
		if !slices.Contains(programs, words[len(words)-1]) {
			programs = append(programs, words...)
		}
	}
	for _, t := range tests {
		pkg, target, of := strings.Cut(t.Suite, "::")
		kind, name, kinded := strings.Cut(target, "/")
		switch {
		case t.Suite == "doc-tests" || t.Suite == "" && strings.Contains(t.Name, " - "):
			pkg = ""
			add("--doc")
		case t.Suite == "" && t.Name == "": // a file
			pkg = ""
			add("--test", strings.TrimSuffix(path.Base(t.File), ".rs"))
		case !of:
			add("--lib")
		case kinded:
			add("--"+kind, name)
		default:
			add("--test", target)
		}
		packages[pkg] = true
		if file, item, is := strings.Cut(t.Name, " - "); is { // rustdoc splits what it is given at blanks
			item, _, _ = strings.Cut(item, " (line ")
			exact, t.Name = false, cmp.Or(item, file)
		}
		names = append(names, t.Name)
	}
	// Documentation tests and programs of several packages are not chosen together.
	if len(packages) > 1 || slices.Contains(programs, "--doc") && len(programs) > 1 {
		programs = nil
	} else if len(packages) == 1 && !packages[""] {
		programs = append([]string{"-p", slices.Collect(maps.Keys(packages))[0]}, programs...)
	}
	switch {
	case adapter.Whole(tests) || len(tests) == 0:
		return programs, nil
	case exact:
		return programs, append([]string{"--", "--exact"}, names...)
	}
	return programs, append([]string{"--"}, names...)
}

// locateRust fills in the files of tests: the module of a name is a file or a folder
// beside the root of its program.
func locateRust(tree *os.Root, d adapter.Detection, _ []adapter.Selected, cases []qa.Case) {
	packages := map[string]string{}
	folder.Manifests(tree, d.Dir, "Cargo.toml", func(dir string, raw []byte) {
		var m cargoManifest
		if toml.Unmarshal(raw, &m) == nil && m.Package != nil {
			packages[m.Package.Name] = dir
		}
	})
	for i := range cases {
		c := &cases[i]
		pkg, target, _ := strings.Cut(c.Suite, "::")
		dir, known := packages[pkg]
		if c.File != "" || !known {
			continue
		}
		roots := []string{"src/lib.rs", "src/main.rs"}
		if kind, name, ok := strings.Cut(target, "/"); ok {
			roots = []string{"src/" + kind + "/" + name + ".rs", "src/main.rs"}
		} else if target != "" {
			roots = []string{"tests/" + target + ".rs", "tests/" + target + "/main.rs"}
		}
		for _, r := range roots {
			if c.File = rustFile(tree, path.Join(dir, r), c.Name); c.File != "" {
				break
			}
		}
		if at := regexp.MustCompile(`panicked at (\S+):(\d+):\d+`).FindStringSubmatch(c.Message); at != nil && c.File != "" && strings.HasSuffix(c.File, at[1]) {
			c.Line, _ = strconv.Atoi(at[2])
		}
	}
}

// rustFile is the file of a test's module that has a function of its name.
func rustFile(tree *os.Root, root, name string) string {
	parts := strings.Split(name, "::")
	function := regexp.MustCompile(`\bfn\s+` + regexp.QuoteMeta(parts[len(parts)-1]) + `\s*[(<]`)
	for n := len(parts) - 1; n >= 0; n-- {
		at := path.Join(append([]string{path.Dir(root)}, parts[:n]...)...)
		files := []string{at + ".rs", at + "/mod.rs"}
		if n == 0 {
			files = []string{root}
		}
		for _, file := range files {
			if data, ok := folder.RegularFile(tree, file); ok && function.Match(data) {
				return file
			}
		}
	}
	return ""
}

var cargoCauses = []diagnosis.Cause{
	{Pattern: "no such (?:sub)?command: `?([\\w-]+)", Kind: diagnosis.Missing, Says: "cargo-$1 is not installed"},
	{Pattern: `requires rustc ([\d.]+)|rustc [\d.]+ is not supported by|toolchain '[^']+' is not installed|rustup could not choose a version|feature .edition\d+. is required`, Kind: diagnosis.Version, Says: "the Rust toolchain does not fit", Cure: "use the one that rust-toolchain.toml or rust-version names"},
	{Pattern: `failed to (?:download|get|fetch|load source|query replaced source)|Could not resolve host|spurious network error|no matching package named`, Kind: diagnosis.Missing, Says: "crates cannot be downloaded here", Cure: "run cargo fetch before (setup-command)"},
	{Pattern: `the lock file \S+ needs to be updated`, Kind: diagnosis.Missing, Says: "Cargo.lock does not fit Cargo.toml", Cure: "run cargo update --workspace"},
	{Pattern: "linker `([\\w-]+)` not found|failed to find tool|could not find native static library", Kind: diagnosis.Missing, Says: "a C compiler and linker are needed to link Rust programs"},
	{Pattern: `failed to parse manifest|failed to load manifest|believes it's in a workspace|could not find .Cargo\.toml|invalid type: .* in .Cargo\.toml`, Kind: diagnosis.Config, Says: "Cargo.toml is not valid"},
	{Pattern: `no tests to run|no (?:library|test|bin|example) targets? (?:found|named|matched)`, Kind: diagnosis.NoTests, Says: "no program has such tests"},
	{Pattern: `could not compile|error\[E\d+\]|"success":false`, Kind: diagnosis.Build, Says: "a crate does not compile"},
}
