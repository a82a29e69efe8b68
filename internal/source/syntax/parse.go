// Package syntax parses program text: one type of tree for all languages, so
// that whoever looks for something in it need not know the parser. Everything in
// it is a pure function of its arguments: no processes, no network, no files.
//
// Go is read by go/parser; JavaScript, TypeScript (with JSX), Python, Rust and Java
// by gotreesitter, whose build tags grammar_subset and grammar_subset_javascript,
// _typescript, _tsx, _python, _rust and _java leave its other 200 grammars out of the
// binary.
// The tags change the size of the program, never what it does.
package syntax

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
)

// maxSize bounds the files that are parsed, in bytes. Larger ones are data or
// generated code.
const maxSize = 1 << 20

// parsers are the grammars that languages name.
var parsers = map[string]func([]byte) (*Tree, error){
	"go":         parseGo,
	"python":     func(src []byte) (*Tree, error) { return parseSitter(python, src) },
	"javascript": func(src []byte) (*Tree, error) { return parseSitter(javaScript, src) },
	"typescript": func(src []byte) (*Tree, error) { return parseSitter(typeScript, src) },
	"tsx":        func(src []byte) (*Tree, error) { return parseSitter(tsx, src) },
	"rust":       parseRust,
	"java":       func(src []byte) (*Tree, error) { return parseSitter(java, src) },
}

// dialects are extensions that another grammar reads than the others of their
// language.
var dialects = map[string]string{".tsx": "tsx"}

// kind is what the extension of a file says about it.
type kind struct {
	language *language.Language
	grammar  string
}

var byExtension = func() map[string]kind {
	out := map[string]kind{}
	for _, l := range language.All() {
		for _, ext := range l.Extensions {
			if grammar := cmp.Or(dialects[ext], l.Grammar); l.Grammar != "" && parsers[grammar] != nil {
				out[ext] = kind{l, grammar}
			}
		}
	}
	return out
}()

// Supported reports whether the file's extension is understood.
func Supported(name string) bool { return byExtension[strings.ToLower(path.Ext(name))].grammar != "" }

func kindOf(name string) (kind, error) {
	if k := byExtension[strings.ToLower(path.Ext(name))]; k.grammar != "" {
		return k, nil
	}
	known := slices.Sorted(maps.Keys(byExtension))
	return kind{}, fmt.Errorf("no parser for %q, extensions understood are %s", name, strings.Join(known, " "))
}

// LanguageOf is the language that a file is parsed as. One that has no parser is
// an error that lists the extensions understood.
func LanguageOf(name string) (*language.Language, error) {
	k, err := kindOf(name)
	return k.language, err
}

// Parse reads a file as its extension says. One with syntax errors yields what
// could be read, marked broken. Files that are too large, nest too deep or take
// the parser too long are errors.
func Parse(name string, src []byte) (*Tree, error) {
	k, err := kindOf(name)
	if err != nil {
		return nil, err
	}
	if len(src) > maxSize {
		return nil, &UnreadError{name, fmt.Errorf("%d bytes, at most %d are read", len(src), maxSize)}
	}
	t, err := ParseText(k.grammar, src)
	if err != nil {
		return nil, &UnreadError{name, err}
	}
	t.Path, t.Language = name, k.language
	return t, nil
}

// UnreadError is that of a file in a language that is read, of which nothing is known
// because it is beyond what a reader takes on.
type UnreadError struct {
	Path string
	Err  error
}

func (e *UnreadError) Error() string { return fmt.Sprintf("parse %s: %v", e.Path, e.Err) }

func (e *UnreadError) Unwrap() error { return e.Err }

// Unread tells it from errors of a file that is no source, for who knows no parser.
func (e *UnreadError) Unread() bool { return true }

// ParseWhole is parse for callers that change text: a file with syntax errors
// is refused, for its tree cannot be trusted.
func ParseWhole(name string, src []byte) (*Tree, error) {
	t, err := Parse(name, src)
	if err == nil && t.Broken {
		err = fmt.Errorf("parse %s: syntax error", name)
	}
	return t, err
}

// ParseText reads a piece of text that is no file, by the name of a grammar: its
// tree has neither path nor language.
func ParseText(grammar string, src []byte) (*Tree, error) {
	t, err := parsers[grammar](src)
	if t != nil {
		t.Grammar = grammar
	}
	return t, err
}
