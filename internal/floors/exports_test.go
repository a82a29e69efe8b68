package floors

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// exports are the exported names of a package that another one should use.
type exports struct {
	name  string              // of the package
	at    map[string]string   // where each name is declared
	needs map[string][]string // names that another name's declaration shows
	types map[string]string   // of which type a constant is
	used  map[string]bool     // by another package, or by a test that stands outside
}

// unusedElsewhere are names that nobody outside of their package uses and that
// are exported all the same.
var unusedElsewhere = map[string][]string{
	"internal/cli": {"Version"}, // the linker sets it
}

// TestExportedNamesAreUsedElsewhere: a name that nobody outside of its package
// uses begins with a small letter, so that a reader of the package's page sees
// only what there is to call. Errors are for whoever wants to ask for them. What the declaration of a used name shows is used;
// so are all values of a used type.
func TestExportedNamesAreUsedElsewhere(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	files := map[string]*ast.File{}
	packages := map[string]*exports{}
	set := token.NewFileSet()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && name != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		files[rel] = file
		dir := path.Dir(rel)
		if !strings.HasSuffix(rel, "_test.go") && file.Name.Name != "main" {
			if packages[dir] == nil {
				packages[dir] = &exports{file.Name.Name, map[string]string{}, map[string][]string{}, map[string]string{}, map[string]bool{}}
			}
			packages[dir].declare(rel, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for rel, file := range files {
		uses(path.Dir(rel), file, packages)
	}
	for dir, p := range packages {
		p.spread()
		for name, at := range p.at {
			known := slices.Contains(unusedElsewhere[dir], name)
			switch {
			case p.used[name] && known:
				t.Errorf("%s: %s is used outside of package %s now: take it off the list", at, name, p.name)
			case !p.used[name] && !known && !strings.HasPrefix(name, "Err") && !strings.HasSuffix(name, "Error"):
				t.Errorf("%s: nobody outside of package %s uses %s: write it small, or remove it", at, p.name, name)
			}
		}
	}
}

// declare notes what a file exports.
func (p *exports) declare(rel string, file *ast.File) {
	typ := "" // of the constants before, which iota repeats
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.note(rel, d.Name, d.Type)
			} else if of := receiver(d.Recv.List[0].Type); d.Name.IsExported() {
				p.shows(of, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.note(rel, spec.Name, spec.Type)
				case *ast.ValueSpec:
					if id, ok := spec.Type.(*ast.Ident); ok {
						typ = id.Name
					} else if spec.Type != nil || len(spec.Values) > 0 {
						typ = ""
					}
					for _, name := range spec.Names {
						p.note(rel, name, spec.Type)
						if d.Tok == token.CONST && typ != "" {
							p.types[name.Name] = typ
						}
					}
				}
			}
		}
	}
}

func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (p *exports) note(rel string, name *ast.Ident, shown ast.Expr) {
	if name.IsExported() {
		p.at[name.Name] = rel
	}
	p.shows(name.Name, shown)
}

// shows notes the names in what a declaration shows: the signature, the fields.
func (p *exports) shows(name string, shown ast.Expr) {
	if shown == nil {
		return
	}
	ast.Inspect(shown, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			p.needs[name] = append(p.needs[name], id.Name)
		}
		return true
	})
}

// spread marks what the declarations of used names show, until nothing is new.
func (p *exports) spread() {
	todo := make([]string, 0, len(p.used))
	for name := range p.used {
		todo = append(todo, name)
	}
	mark := func(name string) {
		if !p.used[name] {
			p.used[name] = true
			todo = append(todo, name)
		}
	}
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		for _, n := range p.needs[name] {
			mark(n)
		}
		for value, typ := range p.types {
			if typ == name {
				mark(value)
			}
		}
	}
}

// uses marks the names of other packages that a file uses.
func uses(dir string, file *ast.File, packages map[string]*exports) {
	imported := map[string]*exports{}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		of := packages[strings.TrimPrefix(name, module)]
		if of == nil {
			continue
		}
		as := of.name
		if spec.Name != nil {
			as = spec.Name.Name
		}
		imported[as] = of
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && imported[x.Name] != nil {
				imported[x.Name].used[s.Sel.Name] = true
			}
		}
		return true
	})
}
