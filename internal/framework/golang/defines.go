package golang

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/qa-action/internal/pattern"
)

// definesGo: tests, fuzz tests and examples with an output; go test reports no
// benchmarks.
func Defines(file string, src []byte) bool {
	if !strings.HasSuffix(file, "_test.go") || !bytes.Contains(src, []byte("func ")) {
		return false
	}
	parsed, _ := parser.ParseFile(token.NewFileSet(), file, src, parser.ParseComments|parser.SkipObjectResolution) // as far as it is Go
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Type.TypeParams != nil {
			continue
		}
		switch {
		case goNamed(f.Name.Name, "Test") && takes(f, "T"), goNamed(f.Name.Name, "Fuzz") && takes(f, "F"):
			return true
		case goNamed(f.Name.Name, "Example") && len(f.Type.Params.List) == 0 && f.Body != nil && prints(parsed, f):
			return true
		}
	}
	return false
}

// goNamed follows go test: what comes behind the prefix is no small letter.
func goNamed(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}

// takes reports whether the only parameter is a *testing.T (or F), under
// whatever name testing is imported.
func takes(f *ast.FuncDecl, kind string) bool {
	if len(f.Type.Params.List) != 1 || len(f.Type.Params.List[0].Names) > 1 {
		return false
	}
	star, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name == kind
	case *ast.Ident:
		return x.Name == kind
	}
	return false
}

var exampleOutput = pattern.New(`(?i)^[[:space:]]*(?:unordered )?output:`)

// prints reports whether an example says what it prints: others are compiled
// only.
func prints(file *ast.File, f *ast.FuncDecl) bool {
	for _, c := range file.Comments {
		if c.Pos() > f.Body.Lbrace && c.End() < f.Body.Rbrace && exampleOutput.MatchString(c.Text()) {
			return true
		}
	}
	return false
}
