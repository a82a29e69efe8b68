package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

type scriptPlacer struct {
	*syntax.Tree
	outline.Script
}

func newScriptPlacer(t *syntax.Tree) placer { return scriptPlacer{t, outline.Script{Tree: t}} }

// statements lists the top-level import statements and requires of the file.
func (p scriptPlacer) statements() []*syntax.Node {
	var out []*syntax.Node
	for _, n := range p.Root.Children {
		switch n.Kind {
		case "import_statement":
			out = append(out, n)
		case "lexical_declaration", "variable_declaration", "expression_statement":
			if call := n.Find(func(c *syntax.Node) bool { return c.Is("call_expression") && !c.At("function").Is("import") }); call != nil {
				if _, ok := p.Requires(call); ok && (call.Parent == n || call.Parent.Parent == n) {
					out = append(out, n)
				}
			}
		}
	}
	return out
}

// commonJS reports whether the file requires rather than imports; ok is false
// when neither its text nor its name can tell.
func (p scriptPlacer) commonJS() (requires, ok bool) {
	for _, n := range p.statements() {
		return !n.Is("import_statement"), true
	}
	switch path.Ext(p.Path) {
	case ".cjs", ".cts":
		return true, true
	case ".mjs", ".mts", ".ts", ".tsx", ".jsx":
		return false, true
	}
	return false, false
}

func (p scriptPlacer) read(n *syntax.Node) qa.Import {
	if n.Is("import_statement") {
		return p.ImportStatement(n)
	}
	var im qa.Import
	n.Walk(func(c *syntax.Node) bool {
		if found := p.ImportsAt(c); len(found) > 0 && im.Path == "" {
			im = found[0]
		}
		return true
	})
	return im
}

// directive makes a whole file strict; a linter may ask for it.
var directive = pattern.New(`^['"]use strict['"];?$`)

func (p scriptPlacer) imports(statements []string) ([]edit, error) {
	requires, known := p.commonJS()
	bound, paths, at := p.existing()
	var lines []string
	var edits []edit
	head := ""
	for _, s := range statements {
		if directive.MatchString(strings.TrimSpace(s)) {
			if len(p.Root.Children) == 0 { // a file that is there is strict or not as it is
				head = strings.TrimSpace(s) + "\n\n"
			}
			continue
		}
		t, err := syntax.ParseText("typescript", []byte(s))
		if err != nil || t.Broken {
			return nil, fmt.Errorf("%q is no import", s)
		}
		other := scriptPlacer{t, outline.Script{Tree: t}}
		found := other.statements()
		if len(found) == 0 || len(found) != len(t.Root.Parts()) {
			return nil, fmt.Errorf("%q is no import", s)
		}
		for _, n := range found {
			im := other.read(n)
			asRequire := !n.Is("import_statement")
			if known {
				asRequire = requires
			}
			names, from, err := missing(im, bound)
			if err != nil {
				return nil, err
			}
			end, seen := paths[im.Path]
			switch {
			case len(names) == 0 && (len(im.Names) > 0 || seen):
			case end > 0 && n.First("type") == nil && named(from):
				for i := range names {
					edits = append(edits, edit{end, end, ", " + specifier(names[i], from[i], " as ")})
				}
			default:
				paths[im.Path] = max(end, 0)
				lines = append(lines, p.renderImport(im.Path, p.keyword(n, asRequire), names, from, asRequire)...)
			}
		}
	}
	if len(lines) == 0 {
		return append(edits, edit{0, 0, strings.TrimSuffix(head, "\n")}), nil
	}
	text := head + strings.Join(lines, "\n")
	if at > 0 {
		return append(edits, edit{at, at, "\n" + text}), nil
	}
	at = p.top()
	if rest := strings.TrimSpace(string(p.Src[at:])); rest != "" {
		text += "\n"
	}
	return []edit{{at, at, text + "\n"}}, nil
}

// existing are the imports of the file: each local name with "path\x00from", each path
// with the end of its list of names, 0 when it has none, and where the last ends.
func (p scriptPlacer) existing() (bound map[string]string, paths map[string]int, at int) {
	bound, paths = map[string]string{}, map[string]int{}
	for _, n := range p.statements() {
		im := p.read(n)
		paths[im.Path] = max(paths[im.Path], 0)
		if list := n.First("import_clause").First("named_imports").Parts(); len(list) > 0 && n.First("type") == nil {
			paths[im.Path] = list[len(list)-1].End
		}
		for i, name := range im.Names {
			bound[name] = im.Path + "\x00" + im.From[i]
		}
		at = n.End
	}
	return bound, paths, at
}

// missing is what im binds and the file does not.
func missing(im qa.Import, bound map[string]string) (names, from []string, err error) {
	for i, name := range im.Names {
		key := im.Path + "\x00" + im.From[i]
		if have, ok := bound[name]; ok {
			if path, _, _ := strings.Cut(have, "\x00"); have != key && path != im.Path {
				return nil, nil, fmt.Errorf("import %q: the file has the name %s from %q", im.Path, name, path)
			}
			continue
		}
		bound[name] = key
		names, from = append(names, name), append(from, im.From[i])
	}
	return names, from, nil
}

// named: nothing but names in braces.
func named(from []string) bool {
	return !slices.Contains(from, "*") && !slices.Contains(from, "default")
}

func specifier(name, from, sep string) string {
	if name == from {
		return name
	}
	return from + sep + name
}

// keyword is "type " of an import of types, and what declares the names of a require: as
// the file does, else as the statement does; a linter may know no const, or no var.
func (p scriptPlacer) keyword(statement *syntax.Node, requires bool) string {
	if !requires && statement.First("type") != nil {
		return "type "
	}
	if !requires {
		return ""
	}
	for _, n := range append(p.statements(), statement) {
		if n.Is("variable_declaration") {
			return "var "
		}
		if n.Is("lexical_declaration") {
			break
		}
	}
	return "const "
}

// renderImport writes an import or a require of the names; kind is their keyword.
func (p scriptPlacer) renderImport(path, kind string, names, from []string, requires bool) []string {
	quote, end := p.quote(), p.semicolon()
	target := quote + path + quote
	if len(names) == 0 {
		if requires {
			return []string{"require(" + target + ")" + end}
		}
		return []string{"import " + target + end}
	}
	var out, list []string
	whole, sep := "", " as "
	if requires {
		sep = ": "
	}
	for i, name := range names {
		switch {
		case from[i] == "*" && requires, from[i] == "default" && requires:
			out = append(out, kind+name+" = require("+target+")"+end)
		case from[i] == "*":
			out = append(out, "import "+kind+"* as "+name+" from "+target+end)
		case from[i] == "default":
			whole = name
		default:
			list = append(list, specifier(name, from[i], sep))
		}
	}
	switch braces := "{ " + strings.Join(list, ", ") + " }"; {
	case len(list) > 0 && requires:
		out = append(out, kind+braces+" = require("+target+")"+end)
	case len(list) > 0 && whole != "":
		out = append(out, "import "+kind+whole+", "+braces+" from "+target+end)
	case len(list) > 0:
		out = append(out, "import "+kind+braces+" from "+target+end)
	case whole != "":
		out = append(out, "import "+kind+whole+" from "+target+end)
	}
	return out
}

// top is where imports go in a file that has none: after a leading comment that
// stands alone and after directives.
func (p scriptPlacer) top() int {
	at := 0
	for i, n := range p.Root.Children {
		alone := n.Is("comment", "hash_bang_line") && (n.Start == 0 || i > 0) &&
			(n.Is("hash_bang_line") || strings.HasPrefix(string(p.Src[n.End:]), "\n\n"))
		directive := n.Is("expression_statement") && len(n.Parts()) == 1 && n.Parts()[0].Is("string")
		if !alone && !directive {
			break
		}
		at = n.End
		for at < len(p.Src) && p.Src[at] == '\n' {
			at++
		}
	}
	return at
}

// quote and semicolon follow the file's own habit.
func (p scriptPlacer) quote() string {
	if strings.Count(string(p.Src), `"`) > strings.Count(string(p.Src), "'") {
		return `"`
	}
	return "'"
}

func (p scriptPlacer) semicolon() string {
	for _, n := range p.statements() {
		if n.End > 0 && p.Src[n.End-1] != ';' {
			return ""
		}
	}
	return ";"
}

func (p scriptPlacer) block(name string) (int, string, bool) {
	for _, n := range p.Root.Children {
		call := n.First("call_expression")
		if !n.Is("expression_statement") || call == nil {
			continue
		}
		kind, title := p.TestCall(call)
		if kind != outline.TestBlock || p.Title(title) != name {
			continue
		}
		args := call.At("arguments").Parts()
		body := args[len(args)-1].At("body")
		if !body.Is("statement_block") {
			continue
		}
		at := body.End - 1 // before the closing brace, on a line of its own
		line := p.LineStart(at)
		if strings.TrimSpace(string(p.Src[line:at])) == "" {
			return line, indentOf(p.Src, "  "), true
		}
	}
	return 0, "", false
}

// newer is what JavaScript did not have before 2015.
var newer = pattern.New(`=>|\b(const|let|class|async)\b`)

func (p scriptPlacer) wrap(name, code string) string {
	q := p.quote()
	title := strings.NewReplacer(`\`, `\\`, q, `\`+q, "\n", " ").Replace(name)
	open := "() => {"
	if strings.Contains(code, "function") && !newer.MatchString(code) {
		open = "function () {" // the tests are written for an engine, or a linter, of before
	}
	return "describe(" + q + title + q + ", " + open + "\n" + indented("tsx", code, indentOf(p.Src, "  ")) + "\n})" + p.semicolon()
}
