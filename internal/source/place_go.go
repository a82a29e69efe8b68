package source

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
)

type goPlacer struct{ *tree }

func newGoPlacer(t *tree) placer { return goPlacer{t} }

// goHeader gives a new file its package clause and checks that of an old one.
func goHeader(existing []byte, add New) ([]byte, error) {
	if add.In != "" {
		return nil, fmt.Errorf("place test: Go has no blocks of tests, asked for %q", add.In)
	}
	if existing == nil {
		if add.Package == "" {
			return nil, fmt.Errorf("a new Go file needs the name of its package")
		}
		return []byte("package " + add.Package + "\n"), nil
	}
	t, err := parseText("go", existing)
	if err != nil {
		return nil, err
	}
	if name := t.text(t.root.at("name")); add.Package != "" && name != add.Package {
		return nil, fmt.Errorf("the file is of package %s, the new code of %s", name, add.Package)
	}
	return existing, nil
}

// goFinish leaves out the imports that nothing uses, and formats. A file that
// was not formatted before is left as it is but for the new parts.
func goFinish(existing, out []byte) ([]byte, error) {
	out, err := dropUnusedImports(existing, out)
	if err != nil {
		return nil, err
	}
	if formatted, err := format.Source(existing); err != nil || !bytes.Equal(formatted, existing) {
		return out, nil
	}
	return format.Source(out)
}

func (p goPlacer) imports(statements []string) ([]edit, error) {
	wanted, err := p.read(statements)
	if err != nil {
		return nil, err
	}
	have := map[string]string{} // name to path
	var last, group *node
	for _, decl := range p.root.all("decls") {
		if !decl.is("GenDecl") || !decl.at("tok").is("import") {
			continue
		}
		last = decl
		if p.src[decl.end-1] == ')' {
			group = decl
		}
		for _, spec := range decl.all("specs") {
			im := goGrammar(p).importsAt(spec)
			if len(im) == 1 {
				have[im[0].Names[0]] = im[0].Path
			}
		}
	}
	var lines []string
	for _, im := range wanted {
		if path, ok := have[im.name]; ok {
			if path != im.path {
				return nil, fmt.Errorf("import %q: the file calls %q by the name %s", im.path, path, im.name)
			}
			continue
		}
		have[im.name] = im.path
		lines = append(lines, im.text)
	}
	switch {
	case len(lines) == 0:
		return nil, nil
	case group != nil:
		at := group.end - 1
		return []edit{{at, at, "\t" + strings.Join(lines, "\n\t") + "\n"}}, nil
	case last != nil: // import "testing" alone: becomes a group
		specs := last.all("specs")
		text := ""
		for _, s := range specs {
			text += "\t" + p.text(s) + "\n"
		}
		return []edit{{last.start, last.end, "import (\n" + text + "\t" + strings.Join(lines, "\n\t") + "\n)"}}, nil
	}
	at := p.root.at("name").end
	return []edit{{at, at, "\n\nimport (\n\t" + strings.Join(lines, "\n\t") + "\n)\n"}}, nil
}

type goImport struct{ name, path, text string }

// read takes `import "x"`, `import y "x"`, groups of them and bare "x".
func (p goPlacer) read(statements []string) ([]goImport, error) {
	var out []goImport
	for _, s := range statements {
		s = strings.TrimSpace(s)
		if !strings.HasPrefix(s, "import") {
			s = "import " + s
		}
		t, err := parseText("go", []byte("package p\n"+s+"\n"))
		if err != nil || t.broken {
			return nil, fmt.Errorf("%q is no Go import", s)
		}
		g := goGrammar{t}
		t.root.walk(func(n *node) bool {
			if n.is("ImportSpec") {
				im := g.importsAt(n)[0]
				out = append(out, goImport{im.Names[0], im.Path, t.text(n)})
			}
			return true
		})
	}
	return out, nil
}

func (p goPlacer) block(string) (int, string, bool) { return 0, "", false }

func (p goPlacer) wrap(_, code string) string { return code }

func (p goPlacer) rename(t testNode, number int) edit {
	name := t.node.at("name")
	return edit{name.end, name.end, fmt.Sprintf(underscored, number)}
}

// dropUnusedImports takes imports away that old did not have and nothing uses,
// for the compiler refuses them.
func dropUnusedImports(old, src []byte) ([]byte, error) {
	t, err := parseText("go", src)
	if err != nil {
		return nil, err
	}
	before := map[string]bool{}
	if o, err := parseText("go", old); err == nil {
		for _, im := range goUnused(o) {
			before[o.text(im)] = true
		}
	}
	var edits []edit
	for _, spec := range goUnused(t) {
		if before[t.text(spec)] {
			continue
		}
		drop := spec
		if decl := spec.parent; len(decl.all("specs")) == 1 {
			drop = decl
		}
		end := drop.end
		for end < len(src) && (src[end] == ' ' || src[end] == '\t') {
			end++
		}
		if end < len(src) && src[end] == '\n' {
			end++
		}
		edits = append(edits, edit{t.lineStart(drop.start), end, ""})
	}
	return applyEdits(src, edits), nil
}

// goUnused lists the import specs whose name does not occur in the file.
func goUnused(t *tree) []*node {
	g := goGrammar{t}
	used := map[string]bool{}
	var specs []*node
	t.root.walk(func(n *node) bool {
		if n.is("ImportSpec") {
			specs = append(specs, n)
			return false
		}
		if n.is("SelectorExpr") {
			used[t.text(n.at("x"))] = true
		}
		return true
	})
	var out []*node
	for _, spec := range specs {
		if im := g.importsAt(spec); len(im) == 1 && im[0].Names[0] != "_" && im[0].Names[0] != "." && !used[im[0].Names[0]] {
			out = append(out, spec)
		}
	}
	return out
}
