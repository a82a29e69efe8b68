package edit

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

type goPlacer struct{ *syntax.Tree }

func newGoPlacer(t *syntax.Tree) placer { return goPlacer{t} }

// goHeader gives a new file its package clause and checks that of an old one.
func goHeader(existing []byte, add Addition) ([]byte, error) {
	if add.In != "" {
		return nil, fmt.Errorf("place test: Go has no blocks of tests, asked for %q", add.In)
	}
	if existing == nil {
		if add.Package == "" {
			return nil, fmt.Errorf("a new Go file needs the name of its package")
		}
		return []byte("package " + add.Package + "\n"), nil
	}
	t, err := syntax.ParseText("go", existing)
	if err != nil {
		return nil, err
	}
	if name := t.Text(t.Root.At("name")); add.Package != "" && name != add.Package {
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
	var last, group *syntax.Node
	for _, decl := range p.Root.All("decls") {
		if !decl.Is("GenDecl") || !decl.At("tok").Is("import") {
			continue
		}
		last = decl
		if p.Src[decl.End-1] == ')' {
			group = decl
		}
		for _, spec := range decl.All("specs") {
			im := outline.Go(p).ImportsAt(spec)
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
		at := group.End - 1
		return []edit{{at, at, "\t" + strings.Join(lines, "\n\t") + "\n"}}, nil
	case last != nil: // import "testing" alone: becomes a group
		specs := last.All("specs")
		text := ""
		for _, s := range specs {
			text += "\t" + p.Text(s) + "\n"
		}
		return []edit{{last.Start, last.End, "import (\n" + text + "\t" + strings.Join(lines, "\n\t") + "\n)"}}, nil
	}
	at := p.Root.At("name").End
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
		t, err := syntax.ParseText("go", []byte("package p\n"+s+"\n"))
		if err != nil || t.Broken {
			return nil, fmt.Errorf("%q is no Go import", s)
		}
		g := outline.Go{Tree: t}
		t.Root.Walk(func(n *syntax.Node) bool {
			if n.Is("ImportSpec") {
				im := g.ImportsAt(n)[0]
				out = append(out, goImport{im.Names[0], im.Path, t.Text(n)})
			}
			return true
		})
	}
	return out, nil
}

func (p goPlacer) block(string) (int, string, bool) { return 0, "", false }

func (p goPlacer) wrap(_, code string) string { return code }

// dropUnusedImports takes imports away that old did not have and nothing uses,
// for the compiler refuses them.
func dropUnusedImports(old, src []byte) ([]byte, error) {
	t, err := syntax.ParseText("go", src)
	if err != nil {
		return nil, err
	}
	before := map[string]bool{}
	if o, err := syntax.ParseText("go", old); err == nil {
		for _, im := range goUnused(o) {
			before[o.Text(im)] = true
		}
	}
	var edits []edit
	for _, spec := range goUnused(t) {
		if before[t.Text(spec)] {
			continue
		}
		drop := spec
		if decl := spec.Parent; len(decl.All("specs")) == 1 {
			drop = decl
		}
		end := drop.End
		for end < len(src) && (src[end] == ' ' || src[end] == '\t') {
			end++
		}
		if end < len(src) && src[end] == '\n' {
			end++
		}
		edits = append(edits, edit{t.LineStart(drop.Start), end, ""})
	}
	return applyEdits(src, edits), nil
}

// goUnused lists the import specs whose name does not occur in the file.
func goUnused(t *syntax.Tree) []*syntax.Node {
	g := outline.Go{Tree: t}
	used := map[string]bool{}
	var specs []*syntax.Node
	t.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("ImportSpec") {
			specs = append(specs, n)
			return false
		}
		if n.Is("SelectorExpr") {
			used[t.Text(n.At("x"))] = true
		}
		return true
	})
	var out []*syntax.Node
	for _, spec := range specs {
		if im := g.ImportsAt(spec); len(im) == 1 && im[0].Names[0] != "_" && im[0].Names[0] != "." && !used[im[0].Names[0]] {
			out = append(out, spec)
		}
	}
	return out
}
