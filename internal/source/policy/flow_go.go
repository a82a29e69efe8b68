package policy

import (
	"strings"

	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

type goFlow struct{ outline.Go }

func newGoFlow(t *syntax.Tree) flow { return goFlow{outline.Go{Tree: t}} }

var goLibrary = set("archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go " +
	"hash html image io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync " +
	"syscall testing text time unicode unique unsafe weak")

var goNames = set("t tb fmt errors strings testing cmp assert require append len cap make new copy min max panic recover")

// seeds: everything that is neither declared in the file nor of the standard
// library or a test library belongs to the package under test or to an import. What a
// test that calls it recovers is of its making.
func (f goFlow) seeds(tn *edit.Case, file map[string]bool) map[string]bool {
	if tn != nil {
		recovers := tn.Node.Find(func(n *syntax.Node) bool { return f.called(n) == "recover" }) != nil
		if recovers && mentions(f.Tree, tn.Node, file) {
			return map[string]bool{"recover": true}
		}
		return nil
	}
	foreign := set("append cap clear close complex copy delete imag len make max min new panic print println real recover")
	f.Root.Walk(func(n *syntax.Node) bool {
		for _, im := range f.ImportsAt(n) {
			root, _, _ := strings.Cut(im.Path, "/")
			if goLibrary[root] || strings.Contains(im.Path, "testify") || strings.Contains(im.Path, "gotest.tools") || strings.Contains(im.Path, "go-cmp") || strings.Contains(im.Path, "gomega") {
				foreign[im.Names[0]] = true
			}
		}
		return true
	})
	declared := outline.Locals(f.Tree, f.Root)
	f.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("TypeSpec") || n.Is("FuncDecl") && n.At("recv") == nil {
			declared[f.Text(n.At("name"))] = true
		}
		return true
	})
	out := map[string]bool{}
	f.Root.Walk(func(n *syntax.Node) bool {
		used := n.Is("Ident") && (!n.Parent.Is("SelectorExpr") || n.Field == "x") && !n.Parent.Is("FuncDecl", "File")
		if name := f.Text(n); used && !foreign[name] && !declared[name] && !universal(f.Tree, name) && !f.key(n) && name != "_" {
			out[name] = true
		}
		return !n.Is("ImportSpec")
	})
	return out
}

// key: field names of composite literals are no uses.
func (f goFlow) key(n *syntax.Node) bool { return n.Parent.Is("KeyValueExpr") && n.Field == "key" }

func (f goFlow) called(n *syntax.Node) string {
	if n.Is("CallExpr") {
		return f.Go.Callee(n.At("fun"))
	}
	return ""
}

func (f goFlow) replaced(*syntax.Node) map[string]bool { return nil }
