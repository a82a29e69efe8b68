// Package source is the one place that understands program text: it parses
// files into outlines, finds callers and importers, makes mutants, and reads
// and writes tests. Everything in it is a pure function of its arguments: no
// processes, no network, no files.
//
// Start at [Parse]. [NewGraph] joins outlines into who imports whom. [Mutants]
// makes small wrong versions of changed lines. [Tests], [Place] and [Remove]
// are surgery on test files, [Assertions], [Policy] and [Hash] judge what is in
// them.
//
// Go is read by go/parser; JavaScript, TypeScript (with JSX) and Python by
// gotreesitter, whose build tags grammar_subset and grammar_subset_javascript,
// _typescript, _tsx and _python leave its other 200 grammars out of the binary.
// The tags change the size of the program, never what it does.
package source

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
)

// maxSize bounds the files that are parsed, in bytes. Larger ones are data or
// generated code.
const maxSize = 1 << 20

// syntax is how a language is read and written.
type syntax struct {
	*language.Language
	parse   func([]byte) (*tree, error)
	outline func(*tree) grammar
	mutator func(*tree) mutator
	tests   func(*tree) testReader
	flow    func(*tree) flow
	names   map[string]bool // never stand for the code under test
	placer  func(*tree) placer
	// A test of a block is called block, separator, test; one whose name is
	// taken gets a number.
	separator, number string
}

// syntaxes are the grammars that languages name.
var syntaxes = map[string]*syntax{
	"go": {
		parse: parseGo, outline: newGoGrammar, mutator: newGoMutator, tests: newGoTests,
		flow: newGoFlow, names: goNames, placer: newGoPlacer, separator: "/", number: "_%d",
	},
	"python": {
		parse: parsePython, outline: newPythonGrammar, mutator: newPythonMutator, tests: newPythonTests,
		flow: newPythonFlow, names: pythonNames, placer: newPythonPlacer, separator: ".", number: "_%d",
	},
	"javascript": script(parseJavaScript, newScriptMutator),
	"typescript": script(parseTypeScript, newTypedMutator),
	"tsx":        script(parseTSX, newTypedMutator),
}

func script(parse func([]byte) (*tree, error), mutator func(*tree) mutator) *syntax {
	return &syntax{
		parse: parse, outline: newScriptGrammar, mutator: mutator, tests: newScriptTests,
		flow: newScriptFlow, names: scriptNames, placer: newScriptPlacer, separator: " > ", number: " (%d)",
	}
}

// dialects are extensions that another grammar reads than the others of their
// language.
var dialects = map[string]string{".tsx": "tsx"}

var byExtension = func() map[string]*syntax {
	out := map[string]*syntax{}
	for _, l := range language.All() {
		for _, ext := range l.Extensions {
			if s := syntaxes[cmp.Or(dialects[ext], l.Grammar)]; s != nil && l.Grammar != "" {
				s.Language = l
				out[ext] = s
			}
		}
	}
	return out
}()

// Extensions lists the file extensions that are understood, sorted.
func Extensions() []string {
	var out []string
	for e := range byExtension {
		out = append(out, e)
	}
	slices.Sort(out)
	return out
}

// Supported reports whether the file's extension is understood.
func Supported(name string) bool { return byExtension[strings.ToLower(path.Ext(name))] != nil }

func languageOf(name string) (*syntax, error) {
	if l := byExtension[strings.ToLower(path.Ext(name))]; l != nil {
		return l, nil
	}
	return nil, fmt.Errorf("no parser for %q, extensions understood are %s", name, strings.Join(Extensions(), " "))
}

func parse(name string, src []byte) (*syntax, *tree, error) {
	l, err := languageOf(name)
	if err != nil {
		return nil, nil, err
	}
	if len(src) > maxSize {
		return nil, nil, fmt.Errorf("parse %s: %d bytes, at most %d are read", name, len(src), maxSize)
	}
	t, err := l.parse(src)
	if err != nil {
		return nil, nil, fmt.Errorf("parse %s: %w", name, err)
	}
	t.path = name
	return l, t, nil
}

// parseWhole is parse for callers that change text: a file with syntax errors
// is refused, for its tree cannot be trusted.
func parseWhole(name string, src []byte) (*syntax, *tree, error) {
	l, t, err := parse(name, src)
	if err == nil && t.broken {
		err = fmt.Errorf("parse %s: syntax error", name)
	}
	return l, t, err
}

// Parse gives the outline of a file; its extension chooses the language, and
// an unknown one is an error that lists those understood. A file with syntax
// errors yields what could be read, marked [qa.Outline.Broken]. Files that are
// too large, nest too deep or take the parser too long are errors.
func Parse(name string, src []byte) (qa.Outline, error) {
	l, t, err := parse(name, src)
	if err != nil {
		return qa.Outline{}, err
	}
	o := outliner{tree: t, grammar: l.outline(t), out: qa.Outline{
		Path: name, Language: l.Name, Broken: t.broken,
		Functions: []qa.Function{}, Imports: []qa.Import{},
	}}
	o.walk(t.root, frame{fn: -1})
	return o.finish(), nil
}
