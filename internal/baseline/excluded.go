package baseline

import (
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// exclude notes which changed source files no test here can reach.
func exclude(b *Baseline, c checkout.Checkout, within string) {
	b.Untried = map[string]string{}
	for _, f := range c.Change.Of(qa.KindSource) {
		if path.Ext(f.Path) != ".go" || f.Status == qa.Deleted || !qa.Below(f.Path, within) {
			continue
		}
		if why := Excluded(b, f.Path, c.Text(f.Path)); why != "" {
			b.Untried[f.Path] = why
		}
	}
}

// Excluded says why the toolchain leaves a file of Go out of its package here, so that
// no test can run it; empty where it is built, or nobody knows. What the build of the
// tests was told by go list outweighs what the file says of itself: it knows the
// toolchain, its tags and whether there is a compiler for C.
func Excluded(b *Baseline, file string, src []byte) string {
	if path.Ext(file) != ".go" || len(src) == 0 {
		return ""
	}
	listed, beside := false, false
	target, _ := b.Of(file)
	for _, run := range b.Runs {
		if slices.Contains(run.Head.Seen.Compiled, file) || run.Head.Coverage.File(file) != nil {
			return ""
		}
		listed = listed || run.Target.Name == target.Name && len(run.Head.Seen.Compiled) > 0
		beside = beside || besideCompiled(run, file)
	}
	here, why := framework.RunsHere(file, src)
	switch {
	case !here && (listed || beside || strings.HasPrefix(why, "other platform")):
		return why
	case here && beside && parses(src):
		return "go list leaves it out of its package"
	}
	return ""
}

// besideCompiled reports whether another file of the same folder is part of the package
// that was built: then all of that package's files are known.
func besideCompiled(run executor.Baseline, file string) bool {
	return slices.ContainsFunc(run.Head.Seen.Compiled, func(other string) bool {
		return path.Ext(other) == ".go" && !strings.HasSuffix(other, "_test.go") && path.Dir(other) == path.Dir(file)
	})
}

// parses reports whether a file says which package it is of: go list leaves out one that
// does not, and that is a defect of the file.
func parses(src []byte) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	return err == nil
}
