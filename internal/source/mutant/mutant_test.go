package mutant

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

var everyLine = []qa.Range{{Start: 1, End: 1 << 30}}

func mutantText(mutants []Mutant) string {
	var b strings.Builder
	for _, m := range mutants {
		fmt.Fprintf(&b, "%d:%d %s %q -> %q\n", m.Line, m.Column, m.Operator, m.Original, m.Replacement)
	}
	return b.String()
}

func TestMutants(t *testing.T) {
	t.Parallel()
	for _, sample := range fixture.Samples(t) {
		t.Run(sample.Name, func(t *testing.T) {
			t.Parallel()
			path, src := sample.Name, sample.Text
			mutants, err := Make(path, src, everyLine)
			assert.NilError(t, err)
			ids := map[string]bool{}
			for _, m := range mutants {
				assert.Equal(t, string(src[m.StartByte:m.EndByte]), m.Original)
				_, err := syntax.ParseWhole(path, Apply(src, m))
				assert.NilError(t, err, "%+v", m)
				assert.Assert(t, !ids[m.ID], "id %s twice", m.ID)
				ids[m.ID] = true
			}
			golden.Assert(t, mutantText(mutants), path+".mutants")
		})
	}
}

func TestMutantsOnlyOnGivenLines(t *testing.T) {
	t.Parallel()
	src := []byte("function f(a) {\n  if (a > 1) return 2;\n  a += 3;\n  return a < 4;\n}\n")
	mutants, err := Make("f.js", src, []qa.Range{{Start: 2, End: 2}, {Start: 4, End: 9}})
	assert.NilError(t, err)
	assert.Equal(t, mutantText(mutants), "2:9 ConditionalBoundary \">\" -> \">=\"\n4:12 ConditionalBoundary \"<\" -> \"<=\"\n")
	moved, err := Make("f.js", append([]byte("\n\n"), src...), everyLine)
	assert.NilError(t, err)
	assert.Equal(t, moved[0].ID, mutants[0].ID, "the id is stable when lines shift")
}

// TestMutantsOfMembership: what has no opposite operator is negated as a whole.
func TestMutantsOfMembership(t *testing.T) {
	t.Parallel()
	src := []byte("class A {\n  #x = 1\n  static is(o) {\n    return #x in o\n  }\n}\nfunction add(out, k, v) {\n  out[k] = k in out ? out[k] + v : v\n" +
		"  for (const i in out) add(i)\n  if (v instanceof A) return k\n}\n")
	mutants, err := Make("f.js", src, []qa.Range{{Start: 3, End: 11}})
	assert.NilError(t, err)
	assert.Equal(t, mutantText(mutants), `4:12 ConditionalNegation "#x in o" -> "!(#x in o)"
8:12 ConditionalNegation "k in out" -> "!(k in out)"
9:24 RemovedCall "add(i)" -> "void 0"
10:7 ConditionalNegation "v instanceof A" -> "!(v instanceof A)"
`)
}

// TestMutantsOfPowers: what is made of a power tells more than that something
// came back.
func TestMutantsOfPowers(t *testing.T) {
	t.Parallel()
	for file, tc := range map[string]struct{ src, want string }{
		"f.ts": {"export function f(n: number) {\n  return Array.from({ length: n }, (_, i) => 2 ** i)\n}\n", "2:48 ArithmeticOperator \"**\" -> \"*\"\n"},
		"f.py": {"def f(n):\n    n **= 2\n    return [2 ** i for i in range(n)]\n", "2:7 AssignmentOperator \"**=\" -> \"*=\"\n3:15 ArithmeticOperator \"**\" -> \"*\"\n"},
	} {
		mutants, err := Make(file, []byte(tc.src), everyLine)
		assert.NilError(t, err)
		assert.Equal(t, mutantText(mutants), tc.want)
	}
}

func TestMutantsRefuse(t *testing.T) {
	t.Parallel()
	_, err := Make("a.py", []byte("def f(:\n"), everyLine)
	assert.ErrorContains(t, err, "mutate: parse a.py: syntax error")
	_, err = Make("a.css", nil, everyLine)
	assert.ErrorContains(t, err, "no parser")
}

// TestGoMutantsCompile type-checks mutants of standard library packages: few
// may be refused by the compiler, for a refused one costs a build and says
// nothing.
func TestGoMutantsCompile(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "source", nil)
	total, refused := 0, 0
	for _, pkg := range []string{"container/list", "container/ring", "path", "unicode/utf16"} {
		paths, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", filepath.FromSlash(pkg), "*.go"))
		assert.NilError(t, err)
		sources := map[string][]byte{}
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") {
				sources[path], err = os.ReadFile(path)
				assert.NilError(t, err)
			}
		}
		assert.NilError(t, typeCheck(set, imports, pkg, sources))
		for path, src := range sources {
			mutants, err := Make(path, src, everyLine)
			assert.NilError(t, err)
			for _, m := range mutants {
				total++
				sources[path] = Apply(src, m)
				if err := typeCheck(set, imports, pkg, sources); err != nil {
					refused++
					t.Logf("%s:%d %s %q -> %q: %v", filepath.Base(path), m.Line, m.Operator, m.Original, m.Replacement, err)
				}
			}
			sources[path] = src
		}
	}
	t.Logf("%d of %d mutants do not compile", refused, total)
	assert.Assert(t, total > 150)
	assert.Assert(t, refused*100 < total*2, "%d of %d", refused, total)
}

func typeCheck(set *token.FileSet, imports types.Importer, pkg string, sources map[string][]byte) error {
	var files []*ast.File
	for path, src := range sources {
		file, err := parser.ParseFile(set, path, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	_, err := (&types.Config{Importer: imports}).Check(pkg, set, files, nil)
	return err
}
