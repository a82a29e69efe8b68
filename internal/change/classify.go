package change

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// testDirs are folders whose files are tests or their support wherever they
// stand, unless only the file name decides in their language.
var testDirs = map[string]bool{
	"__tests__": true, "__mocks__": true, "__fixtures__": true, "__snapshots__": true, "tests": true, "test": true,
	"spec": true, "specs": true, "e2e": true, "cypress": true, "testdata": true, "androidtest": true,
}

// Classify says what a file is for, by the rules of its language. head is the
// start of its content on head, nil when unknown; it decides about scripts
// without extension and generated files. generated holds for generated,
// vendored, minified and lock files, which keep their kind.
func Classify(file string, head []byte) (kind qa.Kind, in string, generated bool) {
	name := path.Base(file)
	l := language.OfScript(file, head)
	return kindOf(file, name, l), l.Name, isGenerated(file, name, head)
}

// AmongTests reports whether a file is one of the tests, or lies in a folder of theirs, as
// what they read does.
func AmongTests(f qa.FileChange) bool {
	return f.Kind == qa.KindTest || slices.ContainsFunc(strings.Split(path.Dir(f.Path), "/"), func(dir string) bool { return testDirs[strings.ToLower(dir)] })
}

// NamedForTests reports whether a file, or a folder of its path, is called as what helps tests
// is ("internal/testutil", "sums/testing.py").
func NamedForTests(file string) bool { return forTests.MatchString(file) }

var forTests = pattern.New(`(?i)(^|[/_.-])tests?(ing|util\w*|help\w*|support|kit)?([/_.-]|$)`)

// IsExample reports whether a file shows how the project is used or how fast it is, or
// declares the types of others: projects have no tests of these.
func IsExample(path string) bool {
	top, _, below := strings.Cut(path, "/")
	return below && slices.Contains([]string{"examples", "example", "benchmarks", "benchmark", "bench", "flow-typed"}, top)
}

func kindOf(file, name string, l *language.Language) qa.Kind {
	lower := strings.ToLower(name)
	ext := path.Ext(lower)
	switch {
	case configNames[lower] || language.IsConfiguration(lower):
		return qa.KindConfig
	case l.Name != "" && isTest(file, name, l):
		return qa.KindTest
	case ext == ".snap" || ext == ".feature":
		return qa.KindTest
	case styleExts[ext]:
		return qa.KindStyle
	case docExts[ext] || docNames[strings.TrimSuffix(lower, ext)] && (ext == "" || ext == ".txt"):
		return qa.KindDocs
	case configExts[ext] || strings.HasPrefix(lower, "dockerfile"):
		return qa.KindConfig
	case strings.HasPrefix(name, ".") && l.Name == "":
		return qa.KindConfig // .gitignore, .editorconfig, .npmrc
	case l.Name != "":
		return qa.KindSource
	}
	return qa.KindOther
}

// isTest decides by the file name, then by the folders above it.
func isTest(file, name string, l *language.Language) bool {
	if l.Tests.Names != nil && l.Tests.Names.MatchString(name) {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if !l.Tests.ByName && testDirs[strings.ToLower(dir)] || l.Tests.Folders != nil && l.Tests.Folders.MatchString(dir) {
			return true
		}
	}
	return false
}
