package framework

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/java"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/framework/rust"
	"github.com/org/qa-action/internal/framework/settings"
)

// What decides which tests a runner runs, and what becomes of their results, is
// no test: a change of it can make a suite smaller or deaf while every test in it
// stays as it was.

// steering are the files that runners take their configuration from.
var steering = pattern.New(`(?i)^(?:\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml|conftest\.py|(?:site|user)customize\.py|.*\.pth|\.coveragerc|` +
	`jest[.-](?:config|setup)[\w.-]*|(?:setup-?tests?|setup-?jest|test-?setup)\.[cm]?[jt]sx?|(?:vitest|vite)\.(?:config|setup|workspace|projects)\.[cm]?[jt]s|` +
	`\.mocharc(?:\.\w+)?|mocha\.opts|ava\.config\.\w+|\.taprc|\.?babel(?:rc|\.config)(?:\.\w+)?|\.swcrc|karma\.conf\.\w+|node\.config\.json|bunfig\.toml|deno\.jsonc?|jasmine\.json|\.c8rc(?:\.\w+)?|\.nycrc(?:\.\w+)?|\.npmrc|package\.json)$`)

// steeringKeys are the parts of a package.json that configure a runner.
var steeringKeys = []string{"jest", "mocha", "ava", "tap", "babel", "vitest", "jasmine", "c8", "nyc"}

// Configures reports whether a file is one that runners take their configuration
// from.
func Configures(name string) bool {
	return steering.MatchString(path.Base(name)) || rust.Configures(name) || java.Configures(name)
}

// Configuration is the part of a file that steers a runner; nil when there is
// none.
func Configuration(name string, data []byte) []byte {
	base := strings.ToLower(path.Base(name))
	switch {
	case carried.MatchString(name):
		return data
	case base == "go.mod" || base == "go.work":
		return goJudging(data)
	case compiled.MatchString(name) || rust.Configures(name) || java.Configures(name):
		return slices.Concat(rust.Steering(name, data), java.Steering(name, data))
	case strings.HasSuffix(base, "_test.go"):
		return slices.Concat(goSteering(data), adapter.Lines(data, goReach))
	case base == "__init__.py" && pyFolder.MatchString(name):
		return data // it is loaded before every test beside it
	case base != "conftest.py" && (python.TestFile.MatchString(name) || pyFolder.MatchString(name) && path.Ext(name) == ".py"):
		return slices.Concat(adapter.Lines(data, pyReach), pyAssigned(data))
	case javascript.IsTest(name) || javascript.IsMochaTest(name) && !steering.MatchString(base):
		return adapter.Lines(data, jsReach)
	case !steering.MatchString(base):
		return nil
	case base == "package.json":
		var pkg map[string]json.RawMessage
		if json.Unmarshal(data, &pkg) != nil {
			return nil // who reads it says so
		}
		var out []byte
		for _, key := range steeringKeys {
			if raw := pkg[key]; raw != nil {
				out = append(append(append(out, key...), ' '), raw...)
			}
		}
		return append(out, standsFor(pkg[ownNames])...)
	case base == "pyproject.toml" && python.Settings(data) != nil:
		return python.Settings(data)
	case base == "pyproject.toml", base == "setup.cfg", base == "tox.ini":
		own, _ := sections(data, sectionSteer)
		return own
	case base == "conftest.py":
		return python.Acting(data)
	case base == "deno.json", base == "deno.jsonc":
		return denoSteering(data)
	}
	return data
}

// released are the keys of a deno.json about what the project gives to others: files that
// they name are the product.
var released = []string{"name", "version", "license", "exports", "publish"}

// denoSteering is a deno.json without them.
func denoSteering(data []byte) []byte {
	var keys map[string]json.RawMessage
	if json.Unmarshal(settings.PlainJSON(data), &keys) != nil {
		return data
	}
	for _, key := range released {
		delete(keys, key)
	}
	out, err := json.Marshal(keys)
	if err != nil || len(keys) == 0 {
		return nil
	}
	return out
}

// WithConfiguration is a file of the change with base's part that steers the
// runner in the place of its own; nil when nothing is left of it.
func WithConfiguration(name string, now, was []byte) []byte {
	switch base := strings.ToLower(path.Base(name)); {
	case rust.Configures(name), path.Ext(name) == ".rs":
		return rust.WithSteering(name, now, was)
	case (base == "go.mod" || base == "go.work") && now != nil:
		return withGoJudging(now, was)
	case java.Configures(name):
		return java.WithSteering(name, now, was)
	case base == "package.json" && now != nil:
		return withKeys(now, was, func(key string) bool { return key == ownNames || slices.Contains(steeringKeys, key) })
	case (base == "pyproject.toml" || base == "setup.cfg" || base == "tox.ini") && now != nil:
		_, rest := sections(now, sectionSteer)
		own, _ := sections(was, sectionSteer)
		if out := slices.Concat(rest, []byte("\n"), own); base != "pyproject.toml" || bytes.Equal(python.Settings(out), python.Settings(was)) {
			return out
		}
	}
	return was
}

var (
	sectionLine  = pattern.New(`^\[{1,2}\s*[\w."': *-]+\]{1,2}\s*(?:#.*)?$`)
	sectionSteer = pattern.New(`\b(?:pytest|coverage)\b`)
)

// sections splits a file of sections into those whose first line matches and the others.
func sections(data []byte, those interface{ Match(data []byte) bool }) (own, rest []byte) {
	steers := false
	for line := range bytes.Lines(data) {
		if text := bytes.TrimRight(line, " \t\r\n"); sectionLine.Match(text) {
			steers = those.Match(text)
		}
		if steers {
			own = append(own, line...)
		} else {
			rest = append(rest, line...)
		}
	}
	return own, rest
}

// What of a test reaches for its runner: the process, its output, its own tools. A
// test that does this is not wrong, but what other tests beside it show may be its
// doing. Whoever wants can write this in other words.
var (
	compiled = pattern.New(`\.(?:rs|java|kt)$`)
	pyFolder = pattern.New(`(?:^|/)tests?/`)

	goReach = pattern.New(`\bsyscall\.|\bunix\.|\bunsafe\.|\bos\.Exit\b|\\x16|\bexec\.Command|\bflag\.(?:Set|Lookup|CommandLine)|\bos\.(?:StartProcess|Stdout\s*=|NewFile)|go:linkname|\bplugin\.`)
	pyReach = pattern.New(`\bos\.(?:_exit|fork|kill|dup2?|exec\w*|spawn\w*|posix_spawn|setsid|abort)\b|\batexit\b|\bsys\.(?:exit|modules|settrace|setprofile|meta_path|path_hooks|std\w+\s*=)|\bctypes\b|\b_pytest\b|\bpytest_\w+|\bpytest\.exit\b|\bsubprocess\b|\bmultiprocessing\b|\bgc\.get|_getframe|\bxmlpath\b|\bpluginmanager\b|` +
		`(?:^|[^.\w])setattr\(|\.(?:run|addFailure|addError|addSubTest|wasSuccessful|failureException)\s*=[^=]|\b_outcome\b|\bimport __main__|\b__(?:dict|globals|closure|code)__\b|\bload_tests\b|\bdef (?:run|__call__|defaultTestResult)\(self\b|\bresult\.(?:failures|errors|unexpectedSuccesses)\b`)
	jsReach = pattern.New(`\bprocess\.(?:exit|reallyExit|kill|abort|exitCode|binding|on|once|stdout|emit|ppid|execArgv|_\w+)\b|\bprocess\[|\bchild_process\b|\bworker_threads\b|\bcluster\b|["'](?:mocha|node:module|module|jest[\w-]*|vitest/\w+|@vitest/\w+)["']|\bMocha\b|\bprototype\b|[pP]rototypeOf\b|\b__proto__\b|\bgetHarness\b|\bsyncBuiltinESMExports\b|["'](?:node:)?v8["']|["']concordance["']|\bglobal(?:This)?\.(?:expect|it|test|describe)\b|\bexpect\.extend\b|\.only\b|\brequire\.cache\b|\bthis\.(?:test\.|currentTest\.)?parent\b|\bthis\.runnable\(`)
)

var (
	pyImport = pattern.New(`(?m)^[ \t]*(?:from[ \t]+\S+[ \t]+)?import[ \t]+(?:\(([^)]*)\)|([^(\n]+))`)
	pyTarget = pattern.New(`^(\s*)([A-Za-z_]\w*)\.[\w.]+\s*=[^=]`)
)

// pyAssigned are the lines of a Python file that put something into what it imports,
// or into anything while it is loaded: every test sees that.
func pyAssigned(data []byte) []byte {
	imported := map[string]bool{}
	for _, m := range pyImport.FindAllSubmatch(data, -1) {
		for one := range strings.SplitSeq(string(m[1])+string(m[2]), ",") {
			if words := strings.Fields(one); len(words) > 0 {
				name, _, _ := strings.Cut(words[len(words)-1], ".") // of "import a.b", a
				imported[name] = true
			}
		}
	}
	var out []byte
	for line := range bytes.Lines(data) {
		if m := pyTarget.FindSubmatch(line); m != nil && (len(m[1]) == 0 || imported[string(m[2])]) {
			out = append(out, line...)
		}
	}
	return out
}

// goSteering is what of a Go test file runs before its tests: TestMain, init, and
// variables that are made by a call.
func goSteering(data []byte) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", data, parser.SkipObjectResolution)
	if err != nil {
		return nil // it does not build, which is said
	}
	var out []byte
	for _, d := range file.Decls {
		if goBefore(d) {
			out = append(append(out, data[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]...), '\n')
		}
	}
	return out
}

// plainCalls are packages whose functions change nothing.
var plainCalls = []string{"errors", "fmt", "regexp", "strings", "bytes", "time", "path", "filepath", "strconv", "big", "slices", "maps"}

func goBefore(d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Recv == nil && (d.Name.Name == "TestMain" || d.Name.Name == "init")
	case *ast.GenDecl:
		steers := false
		ast.Inspect(d, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				switch f := call.Fun.(type) {
				case *ast.SelectorExpr:
					of, ok := f.X.(*ast.Ident)
					steers = steers || !ok || !slices.Contains(plainCalls, of.Name)
				case *ast.Ident:
					steers = steers || types.Universe.Lookup(f.Name) == nil
				case *ast.ArrayType, *ast.MapType, *ast.InterfaceType, *ast.ParenExpr: // a conversion
				default:
					steers = true
				}
			}
			_, literal := n.(*ast.FuncLit)
			return !literal // what it does, it does when it is called
		})
		return d.Tok == token.VAR && steers
	}
	return false
}

// Named reports whether a configuration names a file, relative to the folder that
// it configures, as something to load.
func Named(configuration []byte, file string) bool {
	found, err := regexp.Match(`["'](?:<rootDir>/|\./|/)?`+said(file)+`["']`+asPlugin(file), configuration)
	return err == nil && found
}

// Ahead reports whether it does so under a word for what is loaded before the tests, and not
// under one for what they load, or what is measured.
func Ahead(configuration []byte, file string) bool {
	const words = `(?i)(?:\b\w*(?:setup|teardown|require|import|load|plugin|environment|runner|reporter|transform|resolver)\w*|[\s"'{,]file)["']?\s*[:=]`
	found, err := regexp.Match(words+`[^:=;]{0,400}?["'](?:<rootDir>/|\./|/)?`+said(file)+`["']`+asPlugin(file), configuration)
	return err == nil && found
}

// said is how the text of a configuration says a file.
func said(file string) string {
	bare := strings.TrimSuffix(file, path.Ext(file))
	return regexp.QuoteMeta(bare) + `(?:` + regexp.QuoteMeta(path.Ext(file)) + `|\.js)?`
}

// asPlugin is how that of Python says one that it loads by its module.
func asPlugin(file string) string {
	if path.Ext(file) != ".py" {
		return ""
	}
	module := regexp.QuoteMeta(strings.TrimSuffix(path.Base(file), ".py"))
	return `|-p[ =]?[\w.]*\b` + module + `\b|pytest_plugins[^\n]*\b` + module + `\b`
}
