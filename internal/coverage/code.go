package coverage

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// hasCode reports whether a source file may contain something to cover. It is
// asked for files that no report knows: a file of types, constants or comments
// is in no report because there is nothing to run. When in doubt, it has code.
func hasCode(name string, src []byte) bool {
	text := string(src)
	if strings.TrimSpace(text) == "" {
		return false
	}
	switch ext := path.Ext(name); {
	case ext == ".go":
		return goHasCode(text)
	case ext == ".py" || ext == ".pyi":
		return ext == ".py" && pyHasCode(text)
	case strings.HasSuffix(name, ".d.ts"), strings.HasSuffix(name, ".d.mts"), strings.HasSuffix(name, ".d.cts"):
		return false
	case ext == ".ts" || ext == ".tsx" || ext == ".mts" || ext == ".cts":
		return tsHasCode(text)
	}
	return true
}

// goHasCode looks for a function body with a statement; the go command makes
// no block of anything else.
func goHasCode(text string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return true
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			found = found || n.Body != nil && len(n.Body.List) > 0
		case *ast.FuncLit:
			found = found || len(n.Body.List) > 0
		}
		return !found
	})
	return found
}

var (
	pyText    = pattern.New(`(?s)^\s*[rRuU]?(""".*?"""|'''.*?'''|"[^"\n]*"|'[^'\n]*')`)
	pyComment = pattern.New(`(?m)^\s*#.*$`)
)

// pyHasCode looks for more than comments and a docstring.
func pyHasCode(text string) bool {
	text = pyComment.ReplaceAllString(text, "")
	return strings.TrimSpace(pyText.ReplaceAllString(text, "")) != ""
}

var (
	tsComment = pattern.New(`(?s)/\*.*?\*/|//[^\n]*`)
	tsString  = pattern.New(`'[^'\n]*'|"[^"\n]*"`)
	tsTypes   = pattern.New(`^(?:export\s+)?(?:declare\s+)?(?:interface|type)\s`)
	tsImports = pattern.New(`^(?:import|export)\s+type\s`)
	tsGoesOn  = pattern.New(`^[|&=>})\]?:]`)
)

// tsHasCode looks for a top-level statement that is neither a type nor an import
// of one.
func tsHasCode(text string) bool {
	text = tsString.ReplaceAllString(tsComment.ReplaceAllString(text, ""), "x")
	depth, inType := 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		switch {
		case depth > 0:
		case tsTypes.MatchString(line), tsImports.MatchString(line):
			inType = !strings.HasSuffix(line, ";")
		case inType && tsGoesOn.MatchString(line):
			inType = !strings.HasSuffix(line, ";")
		default:
			return true
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
	}
	return false
}
