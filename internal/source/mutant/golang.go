package mutant

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// goMutator keeps to what compiles without knowing types: operators that take
// the same operands, zero values by the declared result type, and nothing that
// takes the last use of a variable or an import away.
type goMutator struct {
	*syntax.Tree
	imports map[string]bool
}

func newGoMutator(t *syntax.Tree) mutator {
	m := goMutator{Tree: t, imports: map[string]bool{}}
	g := outline.Go{Tree: t}
	for _, decl := range t.Root.All("decls") {
		decl.Walk(func(n *syntax.Node) bool {
			for _, im := range g.ImportsAt(n) {
				m.imports[im.Names[0]] = true
			}
			return !n.Is("FuncDecl")
		})
	}
	return m
}

func (m goMutator) standalone(text []byte) []byte { return append([]byte("package p\n"), text...) }

var (
	goLogging = pattern.New(`^(log|slog|logger|logging|klog|glog|zap|zerolog|logrus|l|t|b|tb)\.(\w+\.)*` +
		`(Print|Printf|Println|Debug|Debugf|Info|Infof|Warn|Warnf|Warning|Warningf|Error|Errorf|Fatal|Fatalf|Panic|Panicf|Log|Logf|Trace|Tracef)(ln|w|Context)?$` +
		`|^fmt\.(Print|Fprint)(f|ln)?$|(?i:^(\w+\.)*(log|logger)\.\w+$)`)
	goError = pattern.New(`^(panic|errors\.\w+|fmt\.Errorf|errdefs\.\w+|status\.Errorf?|xerrors\.\w+)$`)
	// Taking a lock away shows only by chance.
	goLocking = pattern.New(`\.(Lock|Unlock|RLock|RUnlock|Done|Add|Wait|Close)$`)
)

func (m goMutator) arid(n *syntax.Node) bool {
	switch n.Kind {
	case "ImportSpec", "comment", "FuncType", "StructType", "InterfaceType", "ArrayType", "MapType", "TypeSpec":
		return true
	case "CallExpr":
		callee := outline.Go{Tree: m.Tree}.Callee(n.At("fun"))
		return goLogging.MatchString(callee) || goError.MatchString(callee)
	case "GenDecl":
		return n.Find(func(c *syntax.Node) bool { return c.Is("Ident") && m.Text(c) == "iota" }) != nil
	}
	return false
}

func (m goMutator) at(n *syntax.Node) []mutation {
	switch n.Kind {
	case "BinaryExpr":
		return m.binary(n)
	case "IfStmt", "ForStmt":
		cond := n.At("cond")
		if cond == nil || cond.Is("BinaryExpr", "UnaryExpr") {
			return nil
		}
		return replace(conditionalNegation, cond, "!("+m.Text(cond)+")")
	case "UnaryExpr":
		if n.At("op").Is("!") {
			return replace(conditionalNegation, n, m.Text(n.At("x")))
		}
	case "AssignStmt":
		op := n.At("tok")
		if op.Is("=") && n.Parent.Is("BlockStmt", "CaseClause", "CommClause") && n.Field != "comm" && m.keepsUses(n) {
			return replace(removedStatement, n, "_ = 0")
		}
		if !op.Is("+=") || m.numeric(n.At("rhs")) {
			return swap(op, op.Kind)
		}
	case "BranchStmt":
		return m.jump(n)
	case "IncDecStmt":
		return swap(n.At("tok"), n.At("tok").Kind)
	case "ReturnStmt":
		return append(m.returned(n), m.early(n)...)
	case "ExprStmt":
		call := n.At("x")
		callee := outline.Go{Tree: m.Tree}.Callee(call.At("fun"))
		if call.Is("CallExpr") && !m.arid(call) && !goLocking.MatchString(callee) && m.keepsUses(call) {
			return replace(RemovedCall, n, "_ = 0")
		}
	case "BasicLit", "Ident":
		return m.constant(n)
	}
	return nil
}

// jump goes on where a loop ended, and ends it where it went on.
func (m goMutator) jump(n *syntax.Node) []mutation {
	within := n.Within("ForStmt", "RangeStmt", "SwitchStmt", "TypeSwitchStmt", "SelectStmt", "FuncLit")
	switch text := m.Text(n); {
	case within == nil, !within.Is("ForStmt", "RangeStmt"):
	case text == "continue":
		return replace(jump, n, "break")
	case text == "break" && !(within.Is("ForStmt") && within.At("cond") == nil): // else it never ends
		return replace(jump, n, "_ = 0")
	}
	if strings.HasPrefix(m.Text(n), "goto ") {
		return m.early(n)
	}
	return nil
}

// early goes on where an if left the function, or the lines that follow it.
func (m goMutator) early(n *syntax.Node) []mutation {
	if within := n.Parent.Parent; n.Parent.Is("BlockStmt") && within.Is("IfStmt") && within.At("else") == nil && m.keepsUses(n) {
		return replace(earlyReturn, n, "_ = 0")
	}
	return nil
}

func (m goMutator) binary(n *syntax.Node) []mutation {
	op := n.At("op")
	switch op.Kind {
	case "+":
		if !m.numeric(n.At("x")) && !m.numeric(n.At("y")) {
			return nil // may join strings
		}
	case "*", "%":
		if m.Text(n.At("y")) == "0" {
			return nil
		}
	}
	return swap(op, op.Kind)
}

// numeric is true for what cannot be a string.
func (m goMutator) numeric(n *syntax.Node) bool {
	switch {
	case n.Is("BasicLit"):
		return !strings.ContainsAny(m.Text(n)[:1], "\"`'")
	case n.Is("BinaryExpr"):
		return !n.At("op").Is("+") || m.numeric(n.At("x")) || m.numeric(n.At("y"))
	case n.Is("CallExpr"):
		return slices.Contains([]string{"len", "cap", "int", "int64", "uint", "uint64", "float64", "int32", "uint32"}, m.Text(n.At("fun")))
	case n.Is("ParenExpr"):
		return m.numeric(n.At("x"))
	}
	return n.Is("UnaryExpr")
}

// constant changes literals, but not those that must differ from each other
// (cases, keys), measure types or are texts of structure.
func (m goMutator) constant(n *syntax.Node) []mutation {
	if n.Parent.Is("Field", "KeyValueExpr") && n.Field != "value" || n.Parent.Is("CaseClause") ||
		n.Parent.Is("SelectorExpr") || n.Parent.Is("CompositeLit") && n.Field == "type" {
		return nil
	}
	text := m.Text(n)
	if call := n.Parent; n.Is("BasicLit") && call.Is("CallExpr") && call.All("args")[0] == n && builds.MatchString(outline.Go{Tree: m.Tree}.Callee(call.At("fun"))) {
		return expression(n, text)
	}
	switch {
	case n.Is("Ident"):
		switch {
		case text == "true" && m.isUse(n):
			return replace(constantChange, n, "false")
		case text == "false" && m.isUse(n):
			return replace(constantChange, n, "true")
		}
	case text == `""` || text == "``":
		return replace(stringLiteral, n, `"mutated"`)
	case (text[0] == '"' || text[0] == '`') && strings.Contains(text, "%") && n.Parent.Is("CallExpr"):
		// Without its verbs, vet keeps the test from being built.
		return replace(stringLiteral, n, text[:1]+"mutated "+text[1:])
	case text[0] == '"' || text[0] == '`':
		return replace(stringLiteral, n, `""`)
	default:
		if next, ok := nextNumber(text); ok {
			return replace(constantChange, n, next)
		}
	}
	return nil
}

// returned puts the zero value of its type in place of the first result that
// is not zero already.
func (m goMutator) returned(n *syntax.Node) []mutation {
	fn := n.Within("FuncDecl", "FuncLit")
	values := n.All("results")
	if fn == nil || len(values) == 0 {
		return nil
	}
	var kinds []*syntax.Node
	for _, field := range fn.At("type").At("results").All("list") {
		for range max(1, len(field.All("names"))) {
			kinds = append(kinds, field.At("type"))
		}
	}
	if len(kinds) != len(values) { // return f() for several results
		return nil
	}
	var out []mutation
	for i, value := range values {
		operator, kind, zero := ReturnValue, m.Text(kinds[i]), m.zero(kinds[i])
		switch {
		case zero == "" || m.Text(value) == zero:
			continue
		case kind == "error":
			operator = removedError
		case value.Is("BasicLit", "CompositeLit"):
			continue
		}
		if m.keepsUses(value) {
			return replace(operator, value, zero)
		}
		if out == nil || operator == removedError { // of what must be used once more the error says most
			out = replace(operator, value, "func() "+kind+" { _ = "+m.Text(value)+"; return "+zero+" }()")
		}
	}
	return out
}

// zero is the zero value of a type that can be told by its words, else "".
func (m goMutator) zero(kind *syntax.Node) string {
	if kind.Is("StarExpr", "MapType", "FuncType", "ChanType", "InterfaceType") ||
		kind.Is("ArrayType") && kind.At("len") == nil {
		return "nil"
	}
	switch name := m.Text(kind); name {
	case "error", "any":
		return "nil"
	case "string":
		return `""`
	case "bool":
		return "false"
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
		"float32", "float64", "byte", "rune", "uintptr", "time.Duration":
		return "0"
	}
	return ""
}

// keepsUses reports whether all local variables and imports that the subtree
// uses are used elsewhere too, as the compiler wants.
func (m goMutator) keepsUses(gone *syntax.Node) bool {
	fn := gone
	for p := gone.Within("FuncDecl", "FuncLit"); p != nil; p = p.Within("FuncDecl", "FuncLit") {
		fn = p
	}
	keeps := true
	gone.Walk(func(n *syntax.Node) bool {
		if !n.Is("Ident") || !m.isUse(n) {
			return true
		}
		scope := fn
		if m.imports[m.Text(n)] {
			scope = m.Root
		} else if !m.declaredIn(fn, m.Text(n)) {
			return true
		}
		other := scope.Find(func(c *syntax.Node) bool {
			return c.Is("Ident") && (c.Start < gone.Start || c.Start >= gone.End) && m.Text(c) == m.Text(n) && m.isUse(c)
		})
		keeps = keeps && other != nil
		return true
	})
	return keeps
}

func (m goMutator) declaredIn(fn *syntax.Node, name string) bool {
	return fn.At("body").Find(func(c *syntax.Node) bool {
		return c.Is("Ident") && m.Text(c) == name && !c.Parent.Is("SelectorExpr", "KeyValueExpr") && !m.isUse(c)
	}) != nil
}

// isUse is false for names being declared, assigned to, selected or keyed.
func (m goMutator) isUse(n *syntax.Node) bool {
	switch p := n.Parent; p.Kind {
	case "AssignStmt", "RangeStmt":
		return n.Field == "rhs" || n.Field == "x"
	case "ValueSpec", "Field":
		return n.Field != "names"
	case "SelectorExpr":
		return n.Field == "x"
	case "KeyValueExpr":
		return n.Field == "value"
	case "FuncDecl", "LabeledStmt", "BranchStmt", "TypeSpec", "ImportSpec":
		return false
	}
	return true
}
