package builtin

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// checker looks for tests that cannot fail except by crashing. What may be a
// check counts as one: a finding that is wrong costs more trust than one that
// is missing.
type checker struct {
	tree    *engine.Tree
	outline func(string, []byte) (qa.Outline, error)
	read    map[string]*engine.File // files of the repository that tests draw on; nil values are not there
	opened  int
}

// The limits of following calls to where they are defined.
const (
	followDepth = 3
	followFiles = 300 // read for one scan
)

// strict matches what is a check in the product's code as well, where many
// words of the above are its business.
var strict = pattern.New(`\bassert\w*\s*[.(]|\bassert\b[^=\n]*$|\bexpect\(|\bt\.(Error|Fatal|Fail|Helper)\w*\(`)

// assertionModule matches the modules whose names are checks, whatever they
// are called where they are imported.
var assertionModule = pattern.New(`(?i)(^|[/@:._-])(assert\w*|expect\w*|should\w*|chai|chai-\w+|tspl|tsd|tstyche|unexpected|must|hamcrest|hamjest|truth|assertpy|sure|nose\.tools|numpy\.testing|testfixtures|gomega|testify|quicktest|is|qt|cmp)(/|$|\.)`)

// idle are the methods of a test's own object that check nothing.
const idle = `after|afterEach|before|beforeEach|mock|diagnostic|setTimeout|teardown|comment|log|timeout|slow|name|signal|Log|Logf|Helper|Parallel|Cleanup|Setenv|TempDir|Context|Name|Chdir`

// checkless reports the tests of a file in which nothing can fail.
func (c *checker) checkless(f *engine.File) []engine.Hit {
	outline, ok := f.Outline()
	if !ok || outline.Broken || benchmarks.MatchString(f.Path) || slices.Contains(language.Of(f.Path).Tests.Support, path.Base(f.Path)) || after.Match(f.Source) {
		return nil
	}
	var hits []engine.Hit
	for _, fn := range outline.Functions {
		if !fn.Test || fn.Body.Start == 0 || nested(outline, fn) || f.Language == "go" && !strings.HasPrefix(fn.Name, "Test") || fn.Name == "TestMain" {
			continue
		}
		if len(fn.Calls) == 0 || survives.MatchString(fn.Name) || c.checks(f, outline, fn, 0) {
			continue
		}
		hits = append(hits, engine.Hit{
			Rule: "test-smell/no-check", Path: f.Path, Lines: qa.Range{Start: fn.Lines.Start, End: fn.Lines.Start},
			Message:    fmt.Sprintf("%s calls code and checks nothing of what comes back.", fn.Name),
			Suggestion: "Assert on the result, or say in the test's name that only not crashing matters.",
		})
	}
	return hits
}

var (
	// benchmarks are files whose functions are measured, not judged.
	benchmarks = pattern.New(`(?i)(^|/)(bench|benchmarks?|perf)/|[._-]bench(mark)?\.`)
	// after matches checks that are made for every test of the file.
	after = pattern.New(`(?is)\b(afterEach|teardown\w*|asyncTearDown)\b\W.{0,400}?(assert|expect\(|verify)`)
	// unharmed matches words of the body that say the same.
	unharmed = pattern.New(`(?i)(not|non|n't|never|without)[ -](an? )?(panic|crash|throw|rais|fail|error|hang)|(used to|did|would) (fail|crash|raise|throw|cause|panic|hang)`)
	// survives matches names that say that not crashing is all that matters.
	survives = pattern.New(`(?i)(not|n't|never|no|without)[ _]?(an?[ _])?(rais|throw|fail|error|exception|warn|leak|deadlock|block|break|race)|crash|panic|hangs?\b|fuzz|smoke|compiles`)
	// fixtureMark matches functions that are named like tests and are none.
	fixtureMark = pattern.New(`@(\w+\.)*fixture\b`)
)

// checks reports whether the function, or one that it mentions and the
// repository defines, can make a test fail.
func (c *checker) checks(f *engine.File, o qa.Outline, fn qa.Function, depth int) bool {
	body := f.Text(fn.Lines, fn.Lines.Len())
	if depth > 0 && !helpers.MatchString(f.Path) && f.Kind != qa.KindTest {
		return strict.MatchString(body)
	}
	said := spoken(f.Language, fn, body)
	in := language.Named(f.Language)
	if in.Tests.Checks.MatchString(said) || fn.Test && unharmed.MatchString(body) || f.Language == "python" && fixtureMark.MatchString(body) && depth == 0 || fn.Test && own(f.Language, fn, said) {
		return true
	}
	words := map[string]bool{}
	for _, w := range word.FindAllString(body, -1) {
		words[w] = true
	}
	if imported(f, o, words) {
		return true
	}
	return depth < followDepth && c.follow(f, o, fn, words, depth)
}

var (
	word = pattern.New(`[A-Za-z_$][\w$]*`)
	// head matches the head of a function, whose parameters are no arguments.
	head = pattern.New(`\bfunction\b\s*\*?\s*\w*\s*\([^)]*\)`)
	// helpers are files that serve tests.
	helpers = pattern.New(`(?i)(^|[/._-])(tests?|testing|testutils?|specs?|__tests__|e2e|helpers?|fixtures?|support|conftest|utils?)([/._-]|$)`)
)

// spoken is the text in which a check can stand: not the line that opens a Go
// function, nor the head of another one.
func spoken(language string, fn qa.Function, body string) string {
	switch language {
	case "go":
		if _, rest, ok := strings.Cut(body, "{"); ok {
			return rest
		}
	case "python":
		if _, rest, ok := strings.Cut(body, "def "); ok { // a name may sound like a check
			before, _, _ := strings.Cut(body, "def ")
			_, rest, _ = strings.Cut(rest, "(")
			return before + rest
		}
	default:
		body = head.ReplaceAllString(body, "function")
		if title := fn.Name[strings.LastIndex(fn.Name, " > ")+1:]; fn.Test && len(title) > 3 {
			body = strings.Replace(body, strings.TrimPrefix(title, "> "), "", 1)
		}
	}
	return body
}

// own reports that the test's own object is asked to judge, handed to somebody
// who may, or called back.
func own(language string, fn qa.Function, body string) bool {
	for _, p := range fn.Params {
		if !plainName.MatchString(p) || language == "python" {
			continue
		}
		p = regexp.QuoteMeta(p)
		taken := regexp.MustCompile(`[\w$\])]\((?:[^()]*,)?\s*` + p + `\s*[,)]|(^|[^\w.$])` + p + `\(|\b(t|` + p + `)\.(\w+)\b`)
		for _, m := range taken.FindAllStringSubmatch(body, -1) {
			if m[3] == "" || !slices.Contains(strings.Split(idle, "|"), m[3]) {
				return true
			}
		}
	}
	return false
}

var plainName = pattern.New(`^[A-Za-z_$][\w$]*$`)

// imported reports that one of the words was imported from a module of
// assertions, or taken out of what was.
func imported(f *engine.File, o qa.Outline, words map[string]bool) bool {
	for _, im := range o.Imports {
		if !assertionModule.MatchString(im.Path) {
			continue
		}
		for _, name := range im.Names {
			if words[name] || name == "*" || derived(f, name, words) {
				return true
			}
		}
		if len(im.Names) == 0 && derived(f, im.Path, words) { // const {x} = require("y").z
			return true
		}
	}
	return false
}

// derived reports that a word is defined by a statement that mentions source:
// "const { equal } = assert", "expect = chai.expect".
func derived(f *engine.File, source string, words map[string]bool) bool {
	for n := 1; n <= f.Lines(); n++ {
		left, right, ok := strings.Cut(f.Line(n), "=")
		if !ok || indent(left) > 0 || !slices.Contains(word.FindAllString(right, -1), source) && !strings.Contains(right, `'`+source+`'`) && !strings.Contains(right, `"`+source+`"`) {
			continue
		}
		for _, w := range word.FindAllString(left, -1) {
			if words[w] && w != "const" && w != "let" && w != "var" {
				return true
			}
		}
	}
	return false
}
