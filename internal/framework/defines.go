package framework

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/qa-action/internal/language"
)

// DefinesTests reports whether a file defines tests of its own, judged by what
// it says and not by its name: a folder of tests holds helpers, too. A file of a
// language without such a mark defines none.
func DefinesTests(file string, src []byte) bool {
	if len(src) > maxConfig {
		src = src[:maxConfig]
	}
	switch path.Ext(file) {
	case ".go":
		return definesGo(file, src)
	case ".py":
		return definesPython(src)
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx":
		return definesJS(src)
	}
	mark := language.Of(file).Tests.Mark
	return mark != nil && mark.Match(src)
}

// definesGo: tests, fuzz tests and examples with an output; go test reports no
// benchmarks.
func definesGo(file string, src []byte) bool {
	if !strings.HasSuffix(file, "_test.go") || !bytes.Contains(src, []byte("func ")) {
		return false
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ParseComments|parser.SkipObjectResolution)
	if parsed == nil {
		return err != nil && goTestFunc.Match(src)
	}
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

var exampleOutput = regexp.MustCompile(`(?i)^[[:space:]]*(?:unordered )?output:`)

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

var (
	pyFunction = regexp.MustCompile(`^(?:async\s+)?def\s+(\w+)`)
	pyClass    = regexp.MustCompile(`^class\s+(\w+)\s*(?:\(([^)]*)\)?)?`)
)

// definesPython: functions that begin with "test" in a module, or as methods of
// a class that pytest or unittest collects.
func definesPython(src []byte) bool {
	type block struct {
		indent   int
		class    bool
		collects bool
	}
	var open []block
	for _, line := range strings.Split(pythonCode(src), "\n") {
		text := strings.TrimLeft(line, " \t\f")
		if text == "" {
			continue
		}
		indent := len(line) - len(text)
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		if m := pyFunction.FindStringSubmatch(text); m != nil {
			inside := len(open) == 0 || open[len(open)-1].class && open[len(open)-1].collects
			if inside && strings.HasPrefix(m[1], "test") {
				return true
			}
			open = append(open, block{indent: indent})
		} else if m := pyClass.FindStringSubmatch(text); m != nil {
			outer := len(open) == 0 || open[len(open)-1].collects
			open = append(open, block{indent: indent, class: true, collects: outer && (strings.HasPrefix(m[1], "Test") || strings.Contains(m[2], "Test"))})
		}
	}
	return false
}

// pythonCode takes out strings and comments; lines stay lines.
func pythonCode(src []byte) string {
	var out strings.Builder
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case '#':
			for i < len(src) && src[i] != '\n' {
				i++
			}
		case '\'', '"':
			end := 1
			if i+2 < len(src) && src[i+1] == c && src[i+2] == c {
				end = 3
			}
			i += end
			for i < len(src) && !closes(src[i:], c, end) && (end == 3 || src[i] != '\n') {
				if src[i] == '\\' {
					i++
				}
				i++
			}
			if i < len(src) && src[i] != '\n' {
				i += end
			}
			out.WriteString(`""`)
		default:
			out.WriteByte(c)
			i++
		}
	}
	return out.String()
}

func closes(rest []byte, quote byte, n int) bool {
	if len(rest) < n {
		return false
	}
	for _, c := range rest[:n] {
		if c != quote {
			return false
		}
	}
	return true
}
