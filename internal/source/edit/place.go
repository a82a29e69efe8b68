// Package edit is surgery on test files: it finds tests and what they assert
// ([Tests], [Assertions]), adds and takes out whole tests ([Place], [Remove]) and
// turns assertions into their opposites ([Negate]). [Hash] tells whether two tests
// do the same.
package edit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Addition is what to add to a test file.
type Addition struct {
	// Package is the package clause of a new Go file ("shop" or "shop_test");
	// of an existing one it must be the same, or empty.
	Package string
	// Imports are whole import statements of the language. In JavaScript both
	// forms are taken and written in the form that the file uses.
	Imports []string
	// Code is one or more whole test functions with what they need.
	Code string
	// In is the block that holds the code: the title of a describe or the name
	// of a Python class. One at the top level of the file is extended, else it
	// is made. Go has none.
	In string
}

// placer writes tests into files of one language.
type placer interface {
	// imports merges import statements into the file.
	imports(statements []string) ([]edit, error)
	// block finds the block called name and says where to put code at its end
	// and how far to indent it.
	block(name string) (at int, indent string, ok bool)
	// wrap makes a new block called name around code.
	wrap(name, code string) string
}

// styles are how the grammars' languages have tests written. A test of a block
// is called block, separator, test; one whose name is taken gets a number.
var styles = map[string]style{
	"go":         {newGoPlacer, "/", underscored},
	"python":     {newPythonPlacer, ".", underscored},
	"rust":       {newRustPlacer, "::", underscored},
	"java":       {newJavaPlacer, ".", underscored},
	"javascript": {newScriptPlacer, " > ", bracketed},
	"typescript": {newScriptPlacer, " > ", bracketed},
	"tsx":        {newScriptPlacer, " > ", bracketed},
}

type style struct {
	placer            func(*syntax.Tree) placer
	separator, number string
}

// How the number of a test is written.
const (
	underscored = "_%d"
	bracketed   = " (%d)"
)

// Place adds test functions to a test file, or makes a new one when existing is
// nil. What was in the file stays as it was, byte for byte, but for import
// statements. Imports that the file has are not repeated; a test whose name is
// taken gets a number; anything else declared twice is an error, and so is a
// name that two imports claim. The result parses; Go is formatted.
func Place(existing []byte, path string, add Addition) ([]byte, error) {
	l, err := syntax.LanguageOf(path)
	if err != nil {
		return nil, fmt.Errorf("place tests: %w", err)
	}
	fail := func(err error) ([]byte, error) { return nil, fmt.Errorf("place tests in %s: %w", path, err) }
	if head := headers[l.Name]; head != nil {
		if existing, err = head(existing, add); err != nil {
			return fail(err)
		}
	}
	t, err := syntax.ParseWhole(path, existing)
	if err != nil {
		return fail(err)
	}
	p := styles[t.Grammar].placer(t)
	if t.Grammar == "java" {
		add.In = javaClass(t, add.In)
	}
	add.In = cmp.Or(inlineModule(t), add.In)
	code, err := fit(t, path, add.Code, add.In)
	if err != nil {
		return fail(err)
	}
	edits, err := p.imports(add.Imports)
	if err != nil {
		return fail(err)
	}
	at, indent, found := len(existing), "", false
	if add.In != "" {
		if at, indent, found = p.block(add.In); !found {
			at, code = len(existing), p.wrap(add.In, code)
		}
	}
	if found {
		code = indented(t.Grammar, code, indent)
	}
	text := spaced(existing, at, code, l.Name == "python" && !found)
	if len(edits) > 0 && strings.TrimSpace(string(existing)) == "" {
		text = "\n" + text
		if l.Name == "python" {
			text = "\n" + text
		}
	}
	edits = append(edits, edit{at, at, text})
	out := applyEdits(existing, edits)
	if l.Name == "go" {
		if out, err = goFinish(existing, out); err != nil {
			return fail(err)
		}
	}
	if _, err := syntax.ParseWhole(path, out); err != nil {
		return fail(fmt.Errorf("the result does not parse: %w", err))
	}
	return out, nil
}

// spaced puts an empty line (two between Python's top-level functions) before
// code that follows other code, and ends it with a line break.
func spaced(existing []byte, at int, code string, wide bool) string {
	code = strings.TrimRight(strings.Trim(code, "\n"), " \t\n") + "\n"
	before := string(existing[:at])
	if strings.TrimSpace(before) == "" {
		return code
	}
	gap := 2
	if wide {
		gap = 3
	}
	have := len(before) - len(strings.TrimRight(before, "\n"))
	return strings.Repeat("\n", max(0, gap-have)) + code
}

// fit parses new code alone, renames tests whose names are taken and refuses
// other names that are.
func fit(t *syntax.Tree, path, code, in string) (string, error) {
	code = dedent(t.Grammar, code)
	around := frames[t.Grammar]
	text := []byte(around[0] + code + around[1])
	fresh, err := syntax.ParseWhole(path, text)
	if err != nil {
		return "", fmt.Errorf("the new code: %w", err)
	}
	if t.Grammar == "java" && len(fresh.Root.Parts()) != 1 {
		return "", fmt.Errorf("the new code does not stay in its class")
	}
	style := styles[t.Grammar]
	tests := testReaders[t.Grammar](fresh).Tests()
	if len(tests) == 0 {
		return "", fmt.Errorf("the new code has no test function")
	}
	taken := map[string]bool{}
	for _, tn := range testReaders[t.Grammar](t).Tests() {
		taken[tn.Name] = true
	}
	var edits []edit
	for _, tn := range tests {
		name := strings.TrimPrefix(tn.Name, framed)
		if in != "" {
			name = in + style.separator + name
		}
		number := 1
		for unique := name; taken[unique]; unique = name + fmt.Sprintf(style.number, number) {
			number++
		}
		if number > 1 {
			edits = append(edits, numbered(tn.Head[0], fmt.Sprintf(style.number, number)))
			name += fmt.Sprintf(style.number, number)
		}
		taken[name] = true
	}
	if in == "" {
		dropped, err := clashes(t, fresh, tests)
		if err != nil {
			return "", err
		}
		edits = append(edits, dropped...)
	}
	out := string(applyEdits(text, edits))
	return strings.TrimSuffix(strings.TrimPrefix(out, around[0]), around[1]), nil
}

// headers give a new file what comes before all else.
var headers = map[string]func([]byte, Addition) ([]byte, error){"go": goHeader, "java": javaHeader}

// frames are what has to stand around code so that it is a file, and framed is what the
// names of tests begin with there.
var frames = map[string][2]string{"go": {"package p\n", ""}, "java": {"class P {\n", "\n}"}}

const framed = "P."

// numbered puts a number behind the name or the title of a test.
func numbered(name *syntax.Node, number string) edit {
	at := name.End
	switch {
	case name.Is("string", "template_string"):
		at-- // before the quote
	case number[0] == ' ': // a title that is worked out
		number = fmt.Sprintf(" + %q", number)
	}
	return edit{at, at, number}
}

// clashes takes out helpers that the file has in the same words, and refuses
// those that it has in other ones.
func clashes(t, fresh *syntax.Tree, tests []Case) ([]edit, error) {
	have, declared := topLevel(t), topLevel(fresh)
	seen := map[*syntax.Node]bool{} // one statement may declare several names
	var edits []edit
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		n, old := declared[name], have[name]
		isTest := slices.ContainsFunc(tests, func(tn Case) bool { return n.Start <= tn.Node.Start && tn.Node.End <= n.End })
		if old == nil || isTest && !n.Is("class_definition", "decorated_definition") {
			continue
		}
		if wording.Fold(t.Text(old)) != wording.Fold(fresh.Text(n)) {
			return nil, fmt.Errorf("the new code declares %q, which line %d of the file does too", name, t.Line(old.Start))
		}
		if !seen[n] {
			edits = append(edits, edit{n.Start, n.End, ""})
		}
		seen[n] = true
	}
	return edits, nil
}

// topLevel maps the names that a file declares to their statements.
func topLevel(t *syntax.Tree) map[string]*syntax.Node {
	f := outline.NewReader(t)
	out := map[string]*syntax.Node{}
	for _, top := range t.Root.Children {
		if top.Is("expression_statement", "call_expression", "import_statement", "import_from_statement", "if_statement", "try_statement", "use_declaration") {
			continue
		}
		top.Walk(func(n *syntax.Node) bool {
			if left, _ := f.Assigned(n); !n.Is("assignment_expression", "try_statement", "augmented_assignment_expression", "augmented_assignment") {
				for _, name := range left {
					if syntax.IsIdentifier(name) && !(n.Is("FuncDecl") && n.At("recv") != nil) {
						out[t.Text(name)] = top
					}
				}
			}
			return !n.Is("statement_block", "block", "class_body", "BlockStmt", "arrow_function", "declaration_list")
		})
	}
	return out
}

// dedent takes the indentation of the first line off all lines that have it,
// but for those that start inside of a text.
func dedent(grammar string, code string) string {
	code = strings.Trim(strings.ReplaceAll(code, "\r\n", "\n"), "\n")
	shared := code[:len(code)-len(strings.TrimLeft(code, " \t"))]
	if shared == "" {
		return code
	}
	probe, shift := code, 0
	if grammar == "python" {
		probe, shift = "if 1:\n"+code, 1
	}
	inText := textLines(grammar, probe)
	lines := strings.Split(code, "\n")
	for i := range lines {
		if !inText[i+1+shift] {
			lines[i] = strings.TrimPrefix(lines[i], shared)
		}
	}
	return strings.Join(lines, "\n")
}

// indented indents all lines but those that start inside of a text, which
// would change it.
func indented(grammar string, code, indent string) string {
	inText := textLines(grammar, code)
	lines := strings.Split(strings.Trim(code, "\n"), "\n")
	for i, line := range lines {
		if line != "" && !inText[i+1] {
			lines[i] = indent + line
		}
	}
	return strings.Join(lines, "\n")
}

// textLines are the 1-based lines that start inside of a string.
func textLines(grammar string, code string) map[int]bool {
	out := map[int]bool{}
	t, err := syntax.ParseText(grammar, []byte(code))
	if err != nil {
		return out
	}
	t.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("string", "template_string", "BasicLit", "string_literal", "raw_string_literal") {
			r := t.Span(n.Start, n.End)
			for line := r.Start + 1; line <= r.End; line++ {
				out[line] = true
			}
		}
		return true
	})
	return out
}

var indentation = pattern.New(`(?m)^([ \t]+)\S`)

// indentOf is the file's step of indentation.
func indentOf(src []byte, otherwise string) string {
	if m := indentation.FindSubmatch(src); m != nil && len(m[1]) <= 8 {
		return string(m[1])
	}
	return otherwise
}
