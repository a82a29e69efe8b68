package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// javaPlacer writes tests into the class of a file, or into a class in it.
type javaPlacer struct {
	*syntax.Tree
	outline.Java
}

func newJavaPlacer(t *syntax.Tree) placer { return javaPlacer{t, outline.Java{Tree: t}} }

var javaPackage = pattern.New(`^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$`)

// javaHeader gives a new file its package and checks that of an old one.
func javaHeader(existing []byte, add Addition) ([]byte, error) {
	if add.Package == "" {
		return existing, nil
	}
	if !javaPackage.MatchString(add.Package) {
		return nil, fmt.Errorf("%q is no package", add.Package)
	}
	if existing == nil {
		return []byte("package " + add.Package + ";\n"), nil
	}
	t, err := syntax.ParseText("java", existing)
	if err != nil {
		return nil, err
	}
	if name := t.Text(t.Root.First("package_declaration").First("scoped_identifier", "identifier")); name != add.Package {
		return nil, fmt.Errorf("the file is of package %s, the new code of %s", name, add.Package)
	}
	return existing, nil
}

// javaClass is the class that tests asked for in a block go into: one in the class of the
// file that is called so, or that class itself, which a new file gets the name of.
func javaClass(t *syntax.Tree, in string) string {
	own := strings.TrimSuffix(path.Base(t.Path), ".java")
	top := javaTop(t, own)
	if top == nil {
		return own
	}
	name := t.Text(top.At("name"))
	in = in[strings.LastIndexAny(in, ".$")+1:]
	for _, n := range top.At("body").Children {
		if n.Is("class_declaration") && in != "" && t.Text(n.At("name")) == in {
			return name + "." + in
		}
	}
	return name
}

// javaTop is the class of a file: the one of its name, else the first.
func javaTop(t *syntax.Tree, own string) *syntax.Node {
	var first *syntax.Node
	for _, n := range t.Root.Children {
		if n.Is("class_declaration") && (first == nil || t.Text(n.At("name")) == own) {
			first = n
		}
	}
	return first
}

func (p javaPlacer) block(name string) (int, string, bool) {
	class := (*syntax.Node)(nil)
	children := p.Root.Children
	for part := range strings.SplitSeq(name, ".") {
		i := slices.IndexFunc(children, func(n *syntax.Node) bool { return n.Is("class_declaration") && p.Text(n.At("name")) == part })
		if i < 0 {
			return 0, "", false
		}
		class = children[i]
		children = class.At("body").Children
	}
	at := p.LineStart(class.End - 1)
	indent := string(p.Src[at : class.End-1])
	if strings.TrimSpace(indent) != "" { // the bracket has no line of its own
		return class.End - 1, "    ", true
	}
	return at, indent + indentOf(p.Src, "    "), true
}

func (p javaPlacer) wrap(name, code string) string {
	return "class " + name + " {\n" + indented("java", code, "    ") + "\n}"
}

func (p javaPlacer) imports(statements []string) ([]edit, error) {
	bound, last := map[string]string{}, (*syntax.Node)(nil)
	head := p.Root.First("package_declaration")
	for _, n := range p.Root.Children {
		if n.Is("import_declaration") {
			last, bound[javaBinds(p.Tree, n)] = n, javaBound(p.Tree, n)
		}
	}
	var lines []string
	for _, s := range statements {
		s = strings.TrimSuffix(strings.TrimSpace(s), ";") + ";"
		t, err := syntax.ParseText("java", []byte(s))
		if err != nil || t.Broken || len(t.Root.Parts()) != 1 || !t.Root.Parts()[0].Is("import_declaration") {
			return nil, fmt.Errorf("%q is no import", s)
		}
		n := t.Root.Parts()[0]
		name, text := javaBinds(t, n), javaBound(t, n)
		if have, taken := bound[name]; taken && have != text {
			return nil, fmt.Errorf("%s: the file has the name from %s", s, have)
		} else if !taken {
			lines = append(lines, s)
		}
		bound[name] = text
	}
	text := strings.Join(lines, "\n")
	switch {
	case len(lines) == 0:
		return nil, nil
	case last != nil:
		at := p.LineEnd(last.End)
		return []edit{{at, at, "\n" + text}}, nil
	case head != nil:
		return []edit{{head.End, head.End, "\n\n" + text}}, nil
	case strings.TrimSpace(string(p.Src)) != "":
		text += "\n"
	}
	return []edit{{0, 0, text + "\n"}}, nil
}

// javaBinds is the name that an import gives; of methods several may have one.
func javaBinds(t *syntax.Tree, n *syntax.Node) string {
	name := t.Text(n.First("scoped_identifier", "identifier"))
	if n.First("static") != nil || n.First("asterisk") != nil {
		return javaBound(t, n)
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

func javaBound(t *syntax.Tree, n *syntax.Node) string {
	return strings.Join(strings.Fields(strings.TrimSuffix(t.Text(n), ";")), " ")
}
