package edit

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

type pythonPlacer struct {
	*syntax.Tree
	outline.Python
}

func newPythonPlacer(t *syntax.Tree) placer { return pythonPlacer{t, outline.Python{Tree: t}} }

func (p pythonPlacer) imports(statements []string) ([]edit, error) {
	here := p.existing()
	var lines, futures []string
	var edits []edit
	for _, s := range statements {
		t, err := syntax.ParseText("python", []byte(strings.TrimSpace(s)+"\n"))
		if err != nil || t.Broken || len(t.Root.Parts()) == 0 {
			return nil, fmt.Errorf("%q is no import", s)
		}
		g := outline.Python{Tree: t}
		for _, n := range t.Root.Parts() {
			found := g.ImportsAt(n)
			if len(found) == 0 {
				return nil, fmt.Errorf("%q is no import", s)
			}
			for _, im := range found {
				plain := n.Is("import_statement")
				text, err := p.render(im, plain, here.bound)
				if err != nil {
					return nil, err
				}
				names, isList := strings.CutPrefix(text, "from "+im.Path+" import ")
				end := here.lists[im.Path]
				switch {
				case text == "":
				case isList && end > 0 && names != "*":
					edits = append(edits, edit{end, end, ", " + names})
				case im.Path == "__future__":
					futures = append(futures, text)
				default:
					lines = append(lines, text)
				}
			}
		}
	}
	if len(futures) > 0 {
		edits = append(edits, p.insert(max(here.future, here.docEnd), here.docEnd > 0 && here.future < 0, futures))
	}
	if len(lines) > 0 {
		edits = append(edits, p.insert(max(here.last, here.docEnd), here.docEnd > 0 && here.last < 0, lines))
	}
	return edits, nil
}

// pythonImports are those that a file has.
type pythonImports struct {
	bound map[string]qa.Import
	lists map[string]int // path of a from-import to the end of its names
	// Where the last import ends, the last of the future, and the text of the module.
	last, future, docEnd int
}

// existing reads the imports of the file.
func (p pythonPlacer) existing() pythonImports {
	here := pythonImports{bound: map[string]qa.Import{}, lists: map[string]int{}, last: -1, future: -1}
	for i, n := range p.Root.Parts() {
		if i == 0 && (n.Is("string") || n.Is("expression_statement") && n.First("string") != nil) {
			here.docEnd = n.End
		}
		if !n.Is("import_statement", "import_from_statement", "future_import_statement") {
			continue
		}
		here.last = n.End
		if names := n.All("name"); n.Is("import_from_statement") && len(names) > 0 {
			here.lists[p.Text(n.At("module_name"))] = names[len(names)-1].End
		}
		if n.Is("future_import_statement") {
			here.future = n.End
		}
		for _, im := range p.ImportsAt(n) {
			for j := range im.Names {
				here.bound[im.Names[j]] = qa.Import{Path: im.Path, From: im.From[j : j+1]}
			}
		}
	}
	return here
}

// insert puts lines behind offset, at the top of the file when that is 0.
func (p pythonPlacer) insert(offset int, gap bool, lines []string) edit {
	text := strings.Join(lines, "\n")
	switch {
	case offset == 0:
		offset = p.header()
		if strings.TrimSpace(string(p.Src[offset:])) != "" {
			text += "\n\n"
		}
		return edit{offset, offset, text + "\n"}
	case gap:
		return edit{offset, offset, "\n\n" + text}
	}
	// A comment may follow the last import on its line.
	offset = p.LineEnd(offset)
	return edit{offset, offset, "\n" + text}
}

// header is the end of the comments that a file starts with.
func (p pythonPlacer) header() int {
	at := 0
	for _, n := range p.Root.Children {
		if !n.Is("comment") {
			break
		}
		at = min(n.End+1, len(p.Src))
	}
	return at
}

// render writes what im binds and the file does not have; "" is nothing.
func (p pythonPlacer) render(im qa.Import, plain bool, bound map[string]qa.Import) (string, error) {
	var list []string
	for i, name := range im.Names {
		if have, ok := bound[name]; ok && name != "*" {
			same := have.Path == im.Path && have.From[0] == im.From[i]
			if !same && !(plain && strings.HasPrefix(im.Path, name+".")) {
				return "", fmt.Errorf("import %s: the file has the name %s from %s", im.Path, name, have.Path)
			}
			if same {
				continue
			}
		}
		bound[name] = qa.Import{Path: im.Path, From: im.From[i : i+1]}
		switch root, _, _ := strings.Cut(im.Path, "."); {
		case plain && name == root:
			return "import " + im.Path, nil
		case plain:
			return "import " + im.Path + " as " + name, nil
		case im.From[i] == name:
			list = append(list, name)
		default:
			list = append(list, im.From[i]+" as "+name)
		}
	}
	if len(list) == 0 {
		return "", nil
	}
	return "from " + im.Path + " import " + strings.Join(list, ", "), nil
}

func (p pythonPlacer) block(name string) (int, string, bool) {
	for _, n := range p.Root.Parts() {
		class := n
		if n.Is("decorated_definition") {
			class = n.At("definition")
		}
		if !class.Is("class_definition") || p.Text(class.At("name")) != name {
			continue
		}
		parts := class.At("body").Parts()
		if len(parts) == 0 {
			continue
		}
		end := p.LineEnd(parts[len(parts)-1].End)
		lead := p.LineStart(parts[0].Start)
		return min(end+1, len(p.Src)), string(p.Src[lead:parts[0].Start]), true
	}
	return 0, "", false
}

func (p pythonPlacer) wrap(name, code string) string {
	return "class " + name + ":\n" + indented("python", code, "    ") + "\n"
}
