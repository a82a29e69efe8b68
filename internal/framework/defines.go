package framework

import (
	"path"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/framework/rust"
	"github.com/org/qa-action/internal/language"
)

// DefinesTests reports whether a file defines tests of its own, judged by what
// it says and not by its name: a folder of tests holds helpers, too. A file of a
// language without such a mark defines none.
func DefinesTests(file string, src []byte) bool {
	if len(src) > folder.MaxConfig {
		src = src[:folder.MaxConfig]
	}
	switch path.Ext(file) {
	case ".go":
		return golang.Defines(file, src)
	case ".py":
		return python.Defines(src)
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx":
		return javascript.Defines(src)
	}
	mark := language.Of(file).Tests.Mark
	return mark != nil && mark.Match(src)
}

// browserImport is how a test file asks for a runner that drives a browser.
var browserImport = pattern.New(`(?:from|require\s*\(|import)\s*\(?['"](?:@playwright/test|playwright/test|cypress|testcafe|@wdio/globals|nightwatch)['"]`)

// DrivesBrowser reports whether a test file is one for a runner that needs a
// browser, whatever folder it lies in.
func DrivesBrowser(src []byte) bool {
	return browserImport.Match(src[:min(len(src), folder.MaxConfig)])
}

// LeftOut says why a compiler leaves a file out of what the tests are built of, empty where
// it is built or nobody knows. compiled are the files that builds of tests read, listed says
// that the suite of the file has told them, unopened that nothing that ran opened it.
func LeftOut(file string, src []byte, compiled []string, listed, unopened bool) string {
	if path.Ext(file) == ".rs" {
		return rust.LeftOut(file, compiled, unopened)
	}
	return golang.LeftOut(file, src, compiled, listed)
}
