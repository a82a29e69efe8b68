package source

import (
	"regexp"
	"slices"
	"strings"
)

// goMutator keeps to what compiles without knowing types: operators that take
// the same operands, zero values by the declared result type, and nothing that
// takes the last use of a variable or an import away.
type goMutator struct {
	*tree
	imports map[string]bool
}

func newGoMutator(t *tree) mutator {
	m := goMutator{tree: t, imports: map[string]bool{}}
	g := goGrammar{t}
	for _, decl := range t.root.all("decls") {
		decl.walk(func(n *node) bool {
			for _, im := range g.importsAt(n) {
				m.imports[im.Names[0]] = true
			}
			return !n.is("FuncDecl")
		})
	}
	return m
}

func (m goMutator) standalone(text []byte) []byte { return append([]byte("package p\n"), text...) }

var (
	goLogging = regexp.MustCompile(`^(log|slog|logger|logging|klog|glog|zap|zerolog|logrus|l|t|b|tb)\.(\w+\.)*` +
		`(Print|Printf|Println|Debug|Debugf|Info|Infof|Warn|Warnf|Warning|Warningf|Error|Errorf|Fatal|Fatalf|Panic|Panicf|Log|Logf|Trace|Tracef)(ln|w|Context)?$` +
		`|^fmt\.(Print|Fprint)(f|ln)?$|(?i:^(\w+\.)*(log|logger)\.\w+$)`)
	goError = regexp.MustCompile(`^(panic|errors\.\w+|fmt\.Errorf|errdefs\.\w+|status\.Errorf?|xerrors\.\w+)$`)
	// Taking a lock away shows only by chance.
	goLocking = regexp.MustCompile(`\.(Lock|Unlock|RLock|RUnlock|Done|Add|Wait|Close)$`)
)

func (m goMutator) arid(n *node) bool {
	switch n.kind {
	case "ImportSpec", "comment", "FuncType", "StructType", "InterfaceType", "ArrayType", "MapType", "TypeSpec":
		return true
	case "CallExpr":
		callee := goGrammar{m.tree}.callee(n.at("fun"))
		return goLogging.MatchString(callee) || goError.MatchString(callee)
	case "GenDecl":
		return n.find(func(c *node) bool { return c.is("Ident") && m.text(c) == "iota" }) != nil
	}
	return false
}

func (m goMutator) at(n *node) []mutation {
	switch n.kind {
	case "BinaryExpr":
		return m.binary(n)
	case "IfStmt", "ForStmt":
		cond := n.at("cond")
		if cond == nil || cond.is("BinaryExpr", "UnaryExpr") {
			return nil
		}
		return replace(conditionalNegation, cond, "!("+m.text(cond)+")")
	case "UnaryExpr":
		if n.at("op").is("!") {
			return replace(conditionalNegation, n, m.text(n.at("x")))
		}
	case "AssignStmt":
		if op := n.at("tok"); !op.is("+=") || m.numeric(n.at("rhs")) {
			return swap(op, op.kind)
		}
	case "IncDecStmt":
		return swap(n.at("tok"), n.at("tok").kind)
	case "ReturnStmt":
		return m.returned(n)
	case "ExprStmt":
		call := n.at("x")
		callee := goGrammar{m.tree}.callee(call.at("fun"))
		if call.is("CallExpr") && !m.arid(call) && !goLocking.MatchString(callee) && m.keepsUses(call) {
			return replace(RemovedCall, n, "_ = 0")
		}
	case "BasicLit", "Ident":
		return m.constant(n)
	}
	return nil
}

func (m goMutator) binary(n *node) []mutation {
	op := n.at("op")
	switch op.kind {
	case "+":
		if !m.numeric(n.at("x")) && !m.numeric(n.at("y")) {
			return nil // may join strings
		}
	case "*", "%":
		if m.text(n.at("y")) == "0" {
			return nil
		}
	}
	return swap(op, op.kind)
}

// numeric is true for what cannot be a string.
func (m goMutator) numeric(n *node) bool {
	switch {
	case n.is("BasicLit"):
		return !strings.ContainsAny(m.text(n)[:1], "\"`'")
	case n.is("BinaryExpr"):
		return !n.at("op").is("+") || m.numeric(n.at("x")) || m.numeric(n.at("y"))
	case n.is("CallExpr"):
		return slices.Contains([]string{"len", "cap", "int", "int64", "uint", "uint64", "float64", "int32", "uint32"}, m.text(n.at("fun")))
	case n.is("ParenExpr"):
		return m.numeric(n.at("x"))
	}
	return n.is("UnaryExpr")
}

// constant changes literals, but not those that must differ from each other
// (cases, keys), measure types or are texts of structure.
func (m goMutator) constant(n *node) []mutation {
	if n.parent.is("Field", "KeyValueExpr") && n.field != "value" || n.parent.is("CaseClause") ||
		n.parent.is("SelectorExpr") || n.parent.is("CompositeLit") && n.field == "type" {
		return nil
	}
	text := m.text(n)
	switch {
	case n.is("Ident"):
		switch {
		case text == "true" && m.isUse(n):
			return replace(constantChange, n, "false")
		case text == "false" && m.isUse(n):
			return replace(constantChange, n, "true")
		}
	case text == `""` || text == "``":
		return replace(stringLiteral, n, `"mutated"`)
	case (text[0] == '"' || text[0] == '`') && strings.Contains(text, "%") && n.parent.is("CallExpr"):
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
func (m goMutator) returned(n *node) []mutation {
	fn := n.within("FuncDecl", "FuncLit")
	values := n.all("results")
	if fn == nil || len(values) == 0 {
		return nil
	}
	var types []string
	for _, field := range fn.at("type").at("results").all("list") {
		for range max(1, len(field.all("names"))) {
			types = append(types, m.zero(field.at("type")))
		}
	}
	if len(types) != len(values) { // return f() for several results
		return nil
	}
	for i, value := range values {
		if zero := types[i]; zero != "" && m.text(value) != zero && !value.is("BasicLit", "CompositeLit") && m.keepsUses(value) {
			return replace(ReturnValue, value, zero)
		}
	}
	return nil
}

// zero is the zero value of a type that can be told by its words, else "".
func (m goMutator) zero(kind *node) string {
	if kind.is("StarExpr", "MapType", "FuncType", "ChanType", "InterfaceType") ||
		kind.is("ArrayType") && kind.at("len") == nil {
		return "nil"
	}
	switch name := m.text(kind); name {
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
func (m goMutator) keepsUses(gone *node) bool {
	fn := gone
	for p := gone.within("FuncDecl", "FuncLit"); p != nil; p = p.within("FuncDecl", "FuncLit") {
		fn = p
	}
	keeps := true
	gone.walk(func(n *node) bool {
		if !n.is("Ident") || !m.isUse(n) {
			return true
		}
		scope := fn
		if m.imports[m.text(n)] {
			scope = m.root
		} else if !m.declaredIn(fn, m.text(n)) {
			return true
		}
		other := scope.find(func(c *node) bool {
			return c.is("Ident") && (c.start < gone.start || c.start >= gone.end) && m.text(c) == m.text(n) && m.isUse(c)
		})
		keeps = keeps && other != nil
		return true
	})
	return keeps
}

func (m goMutator) declaredIn(fn *node, name string) bool {
	return fn.at("body").find(func(c *node) bool {
		return c.is("Ident") && m.text(c) == name && !c.parent.is("SelectorExpr", "KeyValueExpr") && !m.isUse(c)
	}) != nil
}

// isUse is false for names being declared, assigned to, selected or keyed.
func (m goMutator) isUse(n *node) bool {
	switch p := n.parent; p.kind {
	case "AssignStmt", "RangeStmt":
		return n.field == "rhs" || n.field == "x"
	case "ValueSpec", "Field":
		return n.field != "names"
	case "SelectorExpr":
		return n.field == "x"
	case "KeyValueExpr":
		return n.field == "value"
	case "FuncDecl", "LabeledStmt", "BranchStmt", "TypeSpec", "ImportSpec":
		return false
	}
	return true
}
