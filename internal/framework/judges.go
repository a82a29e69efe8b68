package framework

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/java"
	"github.com/org/qa-action/internal/framework/rust"
)

// What tests compare with, and what runs them, can lie in the repository itself:
// among the packages that it carries, in a folder that a manifest puts in the place
// of one, or under a name that the interpreter looks for beside the tests first.

const goJudges = `(?:github\.com/(?:stretchr/testify|onsi/(?:gomega|ginkgo)|google/go-cmp|frankban/quicktest|matryer/is|smartystreets/\w+|shoenig/test|alecthomas/assert|golang/mock|rogpeppe/go-internal)|gotest\.tools|gopkg\.in/check|go\.uber\.org/mock)`

var (
	// carried are packages of a repository that judge its tests.
	carried = pattern.New(`(?:^|/)vendor/(?:` + goJudges + `[/.]|modules\.txt$)|` +
		`(?:^|/)node_modules/(?:.*/)?(?:@(?:jest|vitest|ava|tapjs)/|(?:vitest|jest|mocha|ava|tape|tap|chai|expect|sinon|c8|nyc|concordance)(?:-[\w.-]+)?/)|` +
		`(?:^|/)site-packages/_?(?:pytest|pluggy|coverage|unittest)`)
	goReplace = pattern.New(`^\s*(?:replace\s+)?(?:` + goJudges + `\S*|\S*(?:assert|expect|check|should|testing|testutil|testkit)\w*)\s.*=>`)
	// shadows are modules that Python finds beside the tests before its own.
	shadows = pattern.New(`^(?:_?pytest|pluggy|iniconfig|packaging|pygments|coverage|xdist|hypothesis|pytest_\w+|nose|sitecustomize|usercustomize|` +
		`_?abc|argparse|ast|asyncio|atexit|base64|bdb|builtins|bisect|cmd|code|codecs|collections|configparser|contextlib|copy|copyreg|csv|dataclasses|datetime|decimal|difflib|dis|doctest|email|encodings|enum|errno|faulthandler|fnmatch|fractions|functools|gc|genericpath|getpass|gettext|glob|gzip|hashlib|heapq|html|importlib|inspect|io|ipaddress|itertools|json|keyword|linecache|locale|logging|math|multiprocessing|ntpath|numbers|opcode|operator|os|pathlib|pdb|pickle|pkgutil|platform|posixpath|pprint|py_compile|queue|random|re|reprlib|runpy|selectors|shlex|shutil|signal|site|socket|sqlite3|sre_\w+|ssl|stat|statistics|string|struct|subprocess|sys|sysconfig|tempfile|textwrap|threading|time|timeit|token|tokenize|tomllib|traceback|tracemalloc|types|typing|typing_extensions|unittest|urllib|uuid|venv|warnings|weakref|xml|zipfile|zipimport|zlib)$`)
)

// judges is how a script loads what runs or judges tests.
var judges = pattern.New(`(?:from|require\s*\(|import)\s*\(?['"](?:@?(?:vitest|jest)(?:[/-][\w./-]*)?|mocha|chai|expect|ava|tape|tap|sinon|node:(?:test|assert)[\w/]*|assert(?:/strict)?|bun:test)['"]`)

// ownNames is the part of a package.json that gives modules names of the package's own.
const ownNames = "imports"

// standsFor are those of such names that stand for what judges, or say so themselves: one that
// stands for something else since is another judge.
func standsFor(names json.RawMessage) (out []byte) {
	var all map[string]json.RawMessage
	if json.Unmarshal(names, &all) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if judge.Match(all[name]) || judge.MatchString(`"`+strings.TrimPrefix(name, "#")+`"`) {
			out = fmt.Appendf(out, "%s %s\n", name, all[name])
		}
	}
	return out
}

var judge = pattern.New(`"(?:node:)?(?:assert(?:/strict)?|test|chai|expect|jest|vitest|sinon|should)"`)

// SpeaksOfJudges reports whether a script loads what runs or judges tests.
func SpeaksOfJudges(src []byte) bool { return judges.Match(src) }

// Shadows reports whether a file, relative to the folder of a target, is a module or
// the beginning of a package of such a name where the interpreter looks first.
func Shadows(_ []byte, file string) bool {
	dir, base := path.Split(strings.TrimSuffix(file, "/__init__.py"))
	name := strings.TrimSuffix(base, ".py")
	return path.Ext(file) == ".py" && shadows.MatchString(name) && (dir == "" || dir == "test/" || dir == "tests/")
}

// Aside reports whether a file lies where nothing of the project's own suite does,
// nor anything that steers or judges it.
func Aside(file string) bool {
	if carried.MatchString(file) {
		return false
	}
	if i := strings.Index("/"+file, "/."); i >= 0 && (rust.Configures(file) || java.Configures(file)) {
		return folder.Aside(file[:i] + "/x")
	}
	return folder.Aside(file)
}

// goJudging are the lines of a go.mod or go.work that put something in the place of
// what tests compare with.
func goJudging(data []byte) []byte { return adapter.Lines(data, goReplace) }

func withGoJudging(now, was []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(now) {
		if !goReplace.Match(line) {
			kept = append(kept, line...)
		}
	}
	for line := range bytes.Lines(goJudging(was)) {
		kept = slices.Concat(kept, []byte("\nreplace "), bytes.TrimPrefix(bytes.TrimSpace(line), []byte("replace ")), []byte("\n"))
	}
	return kept
}
