package source

import "strings"

type goFlow struct{ goGrammar }

func newGoFlow(t *tree) flow { return goFlow{goGrammar{t}} }

var goLibrary = set("archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go " +
	"hash html image io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync " +
	"syscall testing text time unicode unique unsafe weak")

var goNames = set("t tb fmt errors strings testing cmp assert require append len cap make new copy min max panic recover")

// seeds: everything that is neither declared in the file nor of the standard
// library or a test library belongs to the package under test or to an import.
func (f goFlow) seeds(tn *testNode, _ map[string]bool) map[string]bool {
	if tn != nil {
		return nil
	}
	foreign := set("append cap clear close complex copy delete imag len make max min new panic print println real recover")
	f.root.walk(func(n *node) bool {
		for _, im := range f.importsAt(n) {
			root, _, _ := strings.Cut(im.Path, "/")
			if goLibrary[root] || strings.Contains(im.Path, "testify") || strings.Contains(im.Path, "gotest.tools") || strings.Contains(im.Path, "go-cmp") || strings.Contains(im.Path, "gomega") {
				foreign[im.Names[0]] = true
			}
		}
		return true
	})
	declared := locals(f.tree, f.root)
	f.root.walk(func(n *node) bool {
		if n.is("TypeSpec") || n.is("FuncDecl") && n.at("recv") == nil {
			declared[f.text(n.at("name"))] = true
		}
		return true
	})
	out := map[string]bool{}
	f.root.walk(func(n *node) bool {
		used := n.is("Ident") && (!n.parent.is("SelectorExpr") || n.field == "x") && !n.parent.is("FuncDecl", "File")
		if name := f.text(n); used && !foreign[name] && !declared[name] && !universe[name] && !f.key(n) && name != "_" {
			out[name] = true
		}
		return !n.is("ImportSpec")
	})
	return out
}

// key: field names of composite literals are no uses.
func (f goFlow) key(n *node) bool { return n.parent.is("KeyValueExpr") && n.field == "key" }

func (f goFlow) called(n *node) string {
	if n.is("CallExpr") {
		return f.goGrammar.callee(n.at("fun"))
	}
	return ""
}

func (f goFlow) replaced(*node) map[string]bool { return nil }
