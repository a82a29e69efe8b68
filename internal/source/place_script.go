package source

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

type scriptPlacer struct {
	*tree
	scriptGrammar
}

func newScriptPlacer(t *tree) placer { return scriptPlacer{t, scriptGrammar{t}} }

// statements lists the top-level import statements and requires of the file.
func (p scriptPlacer) statements() []*node {
	var out []*node
	for _, n := range p.root.children {
		switch n.kind {
		case "import_statement":
			out = append(out, n)
		case "lexical_declaration", "variable_declaration", "expression_statement":
			if call := n.find(func(c *node) bool { return c.is("call_expression") && !c.at("function").is("import") }); call != nil {
				if _, ok := p.requires(call); ok && (call.parent == n || call.parent.parent == n) {
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
		return !n.is("import_statement"), true
	}
	switch path.Ext(p.path) {
	case ".cjs", ".cts":
		return true, true
	case ".mjs", ".mts", ".ts", ".tsx", ".jsx":
		return false, true
	}
	return false, false
}

func (p scriptPlacer) read(n *node) qa.Import {
	if n.is("import_statement") {
		return p.importStatement(n)
	}
	var im qa.Import
	n.walk(func(c *node) bool {
		if found := p.importsAt(c); len(found) > 0 && im.Path == "" {
			im = found[0]
		}
		return true
	})
	return im
}

func (p scriptPlacer) imports(statements []string) ([]edit, error) {
	requires, known := p.commonJS()
	bound := map[string]string{} // local name to "path\x00from"
	paths := map[string]int{}    // path to the end of its list of names, 0 when it has none
	at := 0
	for _, n := range p.statements() {
		im := p.read(n)
		paths[im.Path] = max(paths[im.Path], 0)
		if list := n.first("import_clause").first("named_imports").parts(); len(list) > 0 && n.first("type") == nil {
			paths[im.Path] = list[len(list)-1].end
		}
		for i, name := range im.Names {
			bound[name] = im.Path + "\x00" + im.From[i]
		}
		at = n.end
	}
	var lines []string
	var edits []edit
	for _, s := range statements {
		t, err := parseText("typescript", []byte(s))
		if err != nil || t.broken {
			return nil, fmt.Errorf("%q is no import", s)
		}
		other := scriptPlacer{t, scriptGrammar{t}}
		found := other.statements()
		if len(found) == 0 || len(found) != len(t.root.parts()) {
			return nil, fmt.Errorf("%q is no import", s)
		}
		for _, n := range found {
			im := other.read(n)
			kind := ""
			if n.first("type") != nil {
				kind = "type "
			}
			asRequire := !n.is("import_statement")
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
			case end > 0 && kind == "" && named(from):
				for i := range names {
					edits = append(edits, edit{end, end, ", " + specifier(names[i], from[i], " as ")})
				}
			default:
				paths[im.Path] = max(end, 0)
				lines = append(lines, renderImport(im.Path, kind, names, from, asRequire, p.quote(), p.semicolon())...)
			}
		}
	}
	if len(lines) == 0 {
		return edits, nil
	}
	text := strings.Join(lines, "\n")
	if at > 0 {
		return append(edits, edit{at, at, "\n" + text}), nil
	}
	at = p.top()
	if rest := strings.TrimSpace(string(p.src[at:])); rest != "" {
		text += "\n"
	}
	return []edit{{at, at, text + "\n"}}, nil
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

// renderImport writes an import or a require of the names.
func renderImport(path, kind string, names, from []string, requires bool, quote, end string) []string {
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
			out = append(out, "const "+name+" = require("+target+")"+end)
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
		out = append(out, "const "+braces+" = require("+target+")"+end)
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
	for i, n := range p.root.children {
		alone := n.is("comment", "hash_bang_line") && (n.start == 0 || i > 0) &&
			(n.is("hash_bang_line") || strings.HasPrefix(string(p.src[n.end:]), "\n\n"))
		directive := n.is("expression_statement") && len(n.parts()) == 1 && n.parts()[0].is("string")
		if !alone && !directive {
			break
		}
		at = n.end
		for at < len(p.src) && p.src[at] == '\n' {
			at++
		}
	}
	return at
}

// quote and semicolon follow the file's own habit.
func (p scriptPlacer) quote() string {
	if strings.Count(string(p.src), `"`) > strings.Count(string(p.src), "'") {
		return `"`
	}
	return "'"
}

func (p scriptPlacer) semicolon() string {
	for _, n := range p.statements() {
		if n.end > 0 && p.src[n.end-1] != ';' {
			return ""
		}
	}
	return ";"
}

func (p scriptPlacer) block(name string) (int, string, bool) {
	for _, n := range p.root.children {
		call := n.first("call_expression")
		if !n.is("expression_statement") || call == nil {
			continue
		}
		kind, title := p.testCall(call)
		if kind != testBlock || p.title(title) != name {
			continue
		}
		args := call.at("arguments").parts()
		body := args[len(args)-1].at("body")
		if !body.is("statement_block") {
			continue
		}
		at := body.end - 1 // before the closing brace, on a line of its own
		line := p.lineStart(at)
		if strings.TrimSpace(string(p.src[line:at])) == "" {
			return line, indentOf(p.src, "  "), true
		}
	}
	return 0, "", false
}

func (p scriptPlacer) wrap(name, code string) string {
	q := p.quote()
	title := strings.NewReplacer(`\`, `\\`, q, `\`+q, "\n", " ").Replace(name)
	return "describe(" + q + title + q + ", () => {\n" + indented("tsx", code, indentOf(p.src, "  ")) + "\n})" + p.semicolon()
}

func (p scriptPlacer) rename(t testNode, number int) edit {
	title := t.head[0]
	at := title.end
	if title.is("string", "template_string") {
		return edit{at - 1, at - 1, fmt.Sprintf(bracketed, number)}
	}
	return edit{at, at, fmt.Sprintf(" + %q", fmt.Sprintf(bracketed, number))}
}
