package floors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// What a reader can keep in mind at once; tests do not count.
const (
	mostLinesOfPackage = 3000
	mostLinesOfFile    = 350
	mostFields         = 15
	mostMethods        = 25
	mostLinesOfBody    = 60
	mostParameters     = 5
)

// published are the structs with more fields that mirror an object of a published
// schema, and where it stands there: one field for each property, see ADR 32.
var published = map[string]struct {
	typ reflect.Type
	at  []string
}{
	"internal/qa Report: fields":        {reflect.TypeFor[qa.Report](), nil},
	"internal/qa Finding: fields":       {reflect.TypeFor[qa.Finding](), []string{"properties", "findings", "items"}},
	"internal/qa Manifest: fields":      {reflect.TypeFor[qa.Manifest](), []string{"properties", "manifest"}},
	"internal/qa LayerResult: fields":   {reflect.TypeFor[qa.LayerResult](), []string{"properties", "coverage", "properties", "layers", "items"}},
	"internal/qa GeneratedTest: fields": {reflect.TypeFor[qa.GeneratedTest](), []string{"properties", "generated", "items"}},
}

// TestPublishedRecordsAreTheSchema: what may be large is no more than the schema has.
func TestPublishedRecordsAreTheSchema(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for what, p := range published {
		var object map[string]any
		if err := json.Unmarshal(raw, &object); err != nil {
			t.Fatal(err)
		}
		for _, key := range append(p.at, "properties") {
			object, _ = object[key].(map[string]any)
		}
		for _, f := range reflect.VisibleFields(p.typ) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if _, ok := object[name]; !ok || f.Anonymous {
				t.Errorf("%s: %s is no property of the schema", what, f.Name)
			}
		}
		if len(object) != p.typ.NumField() {
			t.Errorf("%s: %d, and the schema has %d properties", what, p.typ.NumField(), len(object))
		}
	}
}

func TestNothingIsTooLarge(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	lines, fields, methods := map[string]int{}, map[string]int{}, map[string]int{}
	sizes := map[string]int{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && name != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		n := bytes.Count(raw, []byte("\n"))
		lines[path.Dir(rel)] += n
		note(sizes, rel+": lines", n, mostLinesOfFile)
		return measure(raw, rel, sizeOf{fields, methods, sizes})
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, n := range lines {
		note(sizes, pkg+": lines", n, mostLinesOfPackage)
	}
	for typ, n := range fields {
		note(sizes, typ+": fields", n, mostFields)
	}
	for typ, n := range methods {
		note(sizes, typ+": methods", n, mostMethods)
	}
	if len(lines) < 20 || len(fields) < 100 || len(methods) < 50 {
		t.Fatalf("%d packages, %d structs and %d types with methods looked at: the walk is broken", len(lines), len(fields), len(methods))
	}
	for what, n := range sizes {
		if _, known := published[what]; !known {
			t.Errorf("%s: %d, which is too large: take it apart", what, n)
		}
	}
	for what := range published {
		if sizes[what] == 0 {
			t.Errorf("%s is small enough now: take it off the list", what)
		}
	}
}

func note(sizes map[string]int, what string, n, most int) {
	if n > most {
		sizes[what] = n
	}
}

// sizeOf is what was counted.
type sizeOf struct{ fields, methods, sizes map[string]int }

// measure counts the fields of the structs of a file, the methods of types, and the
// lines and parameters of functions.
func measure(raw []byte, rel string, count sizeOf) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", raw, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg, fields, methods := path.Dir(rel), count.fields, count.methods
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			note(count.sizes, rel+" "+d.Name.Name+": parameters", d.Type.Params.NumFields(), mostParameters)
			if d.Body != nil {
				note(count.sizes, rel+" "+d.Name.Name+": lines", set.Position(d.Body.Rbrace).Line-set.Position(d.Body.Lbrace).Line-1, mostLinesOfBody)
			}
			if d.Recv != nil {
				methods[fmt.Sprintf("%s %s", pkg, receiver(d.Recv.List[0].Type))]++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if typ, ok := spec.(*ast.TypeSpec); ok {
					if s, ok := typ.Type.(*ast.StructType); ok {
						fields[fmt.Sprintf("%s %s", pkg, typ.Name.Name)] = s.Fields.NumFields()
					}
				}
			}
		}
	}
	return nil
}
