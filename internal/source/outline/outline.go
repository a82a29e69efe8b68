// Package outline says what is in a file of program text: its functions with
// their calls, its imports, and what is exported. Start at [Parse]; [NewGraph]
// joins outlines into who imports and who calls whom.
//
// [Go], [Python], [Script], [Rust] and [Java] read single nodes of a tree in the words of their
// language. Packages that look for something else in a tree use them too.
package outline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Parse gives the outline of a file; its extension chooses the language, and
// an unknown one is an error that lists those understood. A file with syntax
// errors yields what could be read, marked [qa.Outline.Broken]. Files that are
// too large, nest too deep or take the parser too long are errors.
func Parse(name string, src []byte) (qa.Outline, error) {
	t, err := syntax.Parse(name, src)
	if err != nil {
		return qa.Outline{}, err
	}
	o := outliner{tree: t, grammar: readings[t.Grammar](t), exports: map[string]bool{}, top: map[int]string{}, out: qa.Outline{
		Path: name, Language: t.Language.Name, Broken: t.Broken,
		Functions: []qa.Function{}, Imports: []qa.Import{},
	}}
	o.walk(t.Root, frame{fn: -1})
	return o.finish(), nil
}

// Reader says what a single node means in its language.
type Reader interface {
	// ImportsAt are the imports that n makes.
	ImportsAt(n *syntax.Node) []qa.Import
	// Assigned is what n binds: names on the left, their origin on the right.
	Assigned(n *syntax.Node) (left []*syntax.Node, right *syntax.Node)
}

// NewReader reads the nodes of a tree.
func NewReader(t *syntax.Tree) Reader { return readings[t.Grammar](t) }

// readings are what the outliner asks, by the name of the tree's grammar.
var readings = map[string]func(*syntax.Tree) grammar{
	"go": newGoGrammar, "python": newPythonGrammar, "rust": newRustGrammar, "java": newJavaGrammar,
	"javascript": newScriptGrammar, "typescript": newScriptGrammar, "tsx": newScriptGrammar,
}

// grammar is what the outliner asks about a language. Every answer is about a
// single node; the outliner does the walking.
type grammar interface {
	Reader
	// function is the function that n declares, nil when it declares none. An
	// unnamed one inside of another function belongs to that one: nil.
	function(n *syntax.Node, in frame) *found
	// scope is the name that n adds to the functions in it (a class), or "".
	scope(n *syntax.Node) string
	// effect says what n adds to the function around it: decision points and
	// the name of a callee as written.
	effect(n *syntax.Node) (decisions int, callee string)
	// module is what n says about the file: its imports, exports and package.
	module(n *syntax.Node) declared
}

// found is a function as a grammar sees it.
type found struct {
	name    string
	test    bool
	private bool         // not reachable from outside even if its owner is
	public  bool         // exported by its own words
	owner   string       // the type of a Go method
	start   int          // with decorators, modifiers and the variable it is assigned to
	node    *syntax.Node // start of complexity and calls, end of the function
	head    *syntax.Node // ends the signature; nil where the body begins behind it
	body    *syntax.Node
	params  []string
	doc     string
}

// declared is what a node says about its file.
type declared struct {
	imports []qa.Import
	exports []string // names exported away from their declaration
	pkg     string
	whole   string // see [qa.Outline.Whole]
}

// frame is where the walk is.
type frame struct {
	fn    int    // index of the innermost function, -1 outside of all
	scope string // qualified name of what encloses
	test  string // titles of the enclosing blocks of tests
}

type outliner struct {
	tree    *syntax.Tree
	grammar grammar
	out     qa.Outline
	exports map[string]bool
	top     map[int]string // function index: the module-level name it hangs on
}

// Texts of an outline are for reading; these bounds keep hostile ones short.
const (
	maxDoc       = 1000
	maxSignature = 300
)

func (o *outliner) walk(n *syntax.Node, in frame) {
	said := o.grammar.module(n)
	o.out.Imports = append(o.out.Imports, said.imports...)
	o.out.Package, o.out.Whole = cmp.Or(said.pkg, o.out.Package), cmp.Or(said.whole, o.out.Whole)
	for _, name := range said.exports {
		o.exports[name] = true
	}
	f := o.grammar.function(n, in)
	if f != nil {
		in = o.add(f, in)
	}
	o.note(n, in)
	if f == nil && in.fn >= 0 {
		decisions, callee := o.grammar.effect(n)
		fn := &o.out.Functions[in.fn]
		fn.Complexity += decisions
		if callee != "" {
			fn.Calls = append(fn.Calls, callee)
		}
	}
	if name := o.grammar.scope(n); name != "" {
		in.scope = join(in.scope, name)
	}
	for _, c := range n.Children {
		o.walk(c, in)
	}
}

func (o *outliner) add(f *found, in frame) frame {
	t := o.tree
	name := join(join(in.scope, f.owner), f.name)
	if f.test {
		name = f.name
	}
	fn := qa.Function{
		Name: name, Test: f.test, Complexity: 1, Params: f.params,
		Lines: t.Span(f.start, f.node.End), StartByte: f.start, EndByte: f.node.End,
		Doc: wording.Bytes(strings.TrimSpace(f.doc), maxDoc), Exported: f.public,
	}
	signature := f.node.End
	if f.body != nil {
		fn.Body = t.Span(f.body.Start, f.body.End)
		signature = max(f.start, f.body.Start)
	}
	if f.head != nil {
		signature = f.head.End
	}
	fn.Signature = wording.Bytes(signatureText(t.Src[f.start:signature]), maxSignature)
	if in.fn < 0 && !f.private && !f.test {
		root, _, _ := strings.Cut(name, ".")
		o.top[len(o.out.Functions)] = root
	}
	o.out.Functions = append(o.out.Functions, fn)
	return frame{fn: len(o.out.Functions) - 1, scope: name, test: in.test}
}

func (o *outliner) finish() qa.Outline {
	for i := range o.out.Functions {
		fn := &o.out.Functions[i]
		if root, ok := o.top[i]; ok && o.exports[root] {
			fn.Exported = true
		}
		slices.Sort(fn.Calls)
		fn.Calls = slices.Compact(fn.Calls)
	}
	slices.SortStableFunc(o.out.Functions, func(a, b qa.Function) int { return a.StartByte - b.StartByte })
	slices.SortStableFunc(o.out.Imports, func(a, b qa.Import) int { return a.Line - b.Line })
	return o.out
}

// signatureText takes off what leads into the body: "=>" or ":".
func signatureText(text []byte) string {
	line := strings.TrimSuffix(wording.Fold(string(text)), "=>")
	return strings.TrimRight(strings.TrimSuffix(line, ":"), " ")
}

func join(scope, name string) string {
	switch {
	case scope == "":
		return name
	case name == "":
		return scope
	}
	return scope + "." + name
}
