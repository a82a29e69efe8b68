package golang

import (
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/shell"
)

// RunsHere reports whether go test would compile a Go file on this machine. If
// not, why begins with "other platform" or, where a tag given to go test would
// include it, with "custom tag". Every other file runs, as far as its name
// tells.
func RunsHere(file string, src []byte) (ok bool, why string) {
	if path.Ext(file) != ".go" {
		return true, ""
	}
	base := path.Base(file)
	if strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") {
		return false, "custom tag: none, go leaves out files whose name begins with " + base[:1]
	}
	if !matches(build.Default, base, "") {
		return false, "other platform: " + platformOf(base)
	}
	expr := buildLine(src)
	if expr == nil || expr.Eval(goTag) {
		return true, ""
	}
	if expr.Eval(func(tag string) bool { return goTag(tag) || !platformTag(tag) }) || expr.Eval(func(tag string) bool { return platformTag(tag) && goTag(tag) }) {
		return false, "custom tag: " + shell.Cut(expr.String(), shell.MaxShown)
	}
	return false, "other platform: " + shell.Cut(expr.String(), shell.MaxShown)
}

// LeftOut says why go leaves a file out of its package, empty where it is built or nobody
// knows. compiled are the files that builds of tests read, listed says that the suite of the
// file has told them. What go list said outweighs what the file says of itself: it knows the
// toolchain, its tags and whether there is a compiler for C.
func LeftOut(file string, src []byte, compiled []string, listed bool) string {
	if path.Ext(file) != ".go" || len(src) == 0 || slices.Contains(compiled, file) {
		return ""
	}
	// Of a folder of which a file was built all files of the package are known.
	beside := slices.ContainsFunc(compiled, func(other string) bool {
		return path.Ext(other) == ".go" && !strings.HasSuffix(other, "_test.go") && path.Dir(other) == path.Dir(file)
	})
	here, why := RunsHere(file, src)
	switch {
	case !here && (listed || beside || strings.HasPrefix(why, "other platform")):
		return why
	case here && beside && parses(src):
		return "go list leaves it out of its package"
	}
	return ""
}

// parses reports whether a file says which package it is of: go list leaves out one that
// does not, and that is a defect of the file.
func parses(src []byte) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	return err == nil
}

// matches reports whether go takes a file of a name for a machine, by the name and
// the line that a build tag stands in.
func matches(c build.Context, base, line string) bool {
	c.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(line + "\n\npackage p\n")), nil
	}
	ok, err := c.MatchFile(".", base)
	return ok && err == nil
}

// platformOf is the part of a file's name that asks for another platform.
func platformOf(base string) string {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test"), "_")
	last := parts[len(parts)-1]
	if before := parts[len(parts)-2]; len(parts) > 2 && platformTag(before) {
		return before + "/" + last
	}
	return last
}

// buildLine is the //go:build line, which stands before the package clause; without one
// the older +build lines, all of which have to hold.
func buildLine(src []byte) constraint.Expr {
	f, err := parser.ParseFile(token.NewFileSet(), "", src[:min(len(src), folder.MaxConfig)], parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return nil
	}
	var older constraint.Expr
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Package {
				return older
			}
			current := constraint.IsGoBuild(c.Text)
			if !current && (group == f.Doc || !constraint.IsPlusBuild(c.Text)) { // a comment of the package is none
				continue
			}
			expr, err := constraint.Parse(c.Text)
			switch {
			case current && err != nil:
				return nil // there may be a part of it, which says nothing
			case current:
				return expr
			case err != nil:
			case older == nil:
				older = expr
			default:
				older = &constraint.AndExpr{X: older, Y: expr}
			}
		}
	}
	return older
}

// nowhere is a machine that no tag or name asks for.
var nowhere = build.Context{GOOS: "nowhere", GOARCH: "nowhere", Compiler: "none"}

// platformTag reports whether a tag is about machines and toolchains: go knows its word
// in the names of files, or it is one of those that no name has.
func platformTag(tag string) bool {
	return tag == "unix" || tag == "gc" || tag == "gccgo" || strings.HasPrefix(tag, "go1.") || !strings.Contains(tag, "_") && !matches(nowhere, "x_"+tag+".go", "")
}

// goTag reports whether a tag is set for a plain go test here.
func goTag(tag string) bool { return matches(build.Default, "x.go", "//go:build "+tag) }
