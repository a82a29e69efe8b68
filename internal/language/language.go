// Package language is what differs from one programming language to the next, as
// data: one [Language] value in one file each, and one table. Whoever needs to
// know asks [Of] for the language of a file, or one of the functions that join
// what all languages say. Nothing here reads a file or runs a program.
//
// Adding a language takes one file, one line in the table below and one row in
// docs/languages.md, which says what is lost without a grammar.
package language

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
)

// Language is one programming language.
type Language struct {
	Name  string // in the words of [qa.FileChange.Language]
	Title string // as people write it
	// Extensions are those of its files, in small letters. Unread are more of
	// them that the grammar does not read.
	Extensions, Unread []string
	// Files are whole names of its files, in small letters, and Interpreters the
	// programs of a "#!" line by which a script without extension is known.
	Files, Interpreters []string
	// Grammar is what package syntax reads it with; empty is no grammar.
	Grammar string

	Tests   Tests
	Project Project
	Tools   Tools
	Text    Text
	// Policy is what a test may not do, as the syntax tree shows it; nil without
	// a grammar.
	Policy *Policy
	Smells []Smell
	// Formatters are the programs that projects format it with, in the order in
	// which they are tried.
	Formatters []Formatter
	Style      []Feature
}

// Tests says which files are tests.
type Tests struct {
	// Names matches the names of test files, without folders.
	Names *pattern.Pattern
	// ByName says that a folder of tests makes no file of it a test. Folders
	// matches the names of folders that do, beside those of all languages.
	ByName  bool
	Folders *pattern.Pattern
	// Support are files that serve all tests of their folder and below.
	Support []string
	// Mark matches what a test begins with, in a language without a grammar; Inline
	// says that tests may stand inside source files.
	Mark   *pattern.Pattern
	Inline bool
	// Checks matches what can make a test fail, by its name or form.
	Checks *pattern.Pattern
	// Compiled says that no test is made that names what is not there.
	Compiled bool
}

// Project says what lies around the sources. Names count in any case of letters.
type Project struct {
	// Manifests are the files that make a folder a package, and Requirements those
	// that only say what is to be installed.
	Manifests, Requirements []string
	// Locks are written by package managers, Settings steer them, and Versions
	// name a toolchain.
	Locks, Settings, Versions []string
	// Scripts matches sources that configure a tool and are no part of the product.
	Scripts *pattern.Pattern
	// Installed are folders into which package managers put other people's code,
	// Vendored those that keep a copy of such code in the repository, and Built
	// those that a build makes.
	Installed, Vendored, Built []string
	// Stale are folders beside a manifest that every build makes anew: an old one is
	// large and says nothing.
	Stale []string
	// Caches matches folders and files in which test tools note what they have
	// seen, so that an earlier run changes a later one. Traces matches what tools
	// leave behind beside that.
	Caches, Traces *pattern.Pattern
	// FolderIsPackage says that the files of a folder belong together and see
	// each other without an import.
	FolderIsPackage bool
	// Generated matches the names that generators give, in small letters; Marker
	// is the whole line by which the language's own tools know such a file.
	Generated, Marker *pattern.Pattern
}

// Text is what its text looks like.
type Text struct {
	// Comment begins a comment that ends with the line.
	Comment string
	// Opaque matches strings and comments.
	Opaque *pattern.Pattern
	// Fences are the words for it behind ``` in Markdown, by extension.
	Fences map[string]string
}

// Formatter is a program that projects format their code with. It is used where
// the project has it installed and configured, reads the text of one file and
// writes it formatted.
type Formatter struct {
	Name    string
	Configs []string          // files that configure it
	Inside  map[string]string // files that may hold its configuration, and how that begins
	Program string            // below a directory of the project
	Args    []string          // {file} is the file's path
	// Mended makes it a linter that mends some of what it objects to, of what it printed;
	// nil where it has nothing to mend. What formats the file comes after it.
	Mended func(printed []byte) []byte
}

// whole is a [Formatter.Mended] of programs that print the text and nothing else.
func whole(printed []byte) []byte { return printed }

// TypeChecker is a program that looks at types which running the code does not. It is
// used where the project has it installed and configured.
type TypeChecker struct {
	Config  string   // the file that configures it
	Program string   // below a directory of the project
	Args    []string // beside -p and the configuration
}

// Feature is one of test code that a new test should share.
type Feature struct {
	Name    string
	Pattern *pattern.Pattern
}

// table is every language, the best known first.
var table = append([]*Language{&golang, &javaScript, &typeScript, &python, &rust, &java}, others...)

// none is the language of files that no language is known of.
var none Language

// All are the languages of the table.
func All() []*Language { return slices.Clone(table) }

// Read are the names of the languages that are read with a grammar.
func Read() []string {
	read := each.Where(table, func(l *Language) bool { return l.Grammar != "" })
	return each.Of(read, func(l *Language) string { return l.Name })
}

// Of is the language of a file by its name; one without a name is none that is
// known.
func Of(file string) *Language {
	name := strings.ToLower(path.Base(file))
	ext := path.Ext(name)
	for _, l := range table {
		if ext != "" && (slices.Contains(l.Extensions, ext) || slices.Contains(l.Unread, ext)) || slices.Contains(l.Files, name) {
			return l
		}
	}
	return &none
}

// OfScript is [Of] for a file whose first line may name its interpreter.
func OfScript(file string, head []byte) *Language {
	if l := Of(file); l != &none || path.Ext(file) != "" || len(head) < 3 || head[0] != '#' || head[1] != '!' {
		return l
	}
	first, _, _ := strings.Cut(string(head[:min(len(head), 200)]), "\n")
	for word := range strings.FieldsSeq(first[2:]) {
		word = path.Base(word)
		if word == "env" || strings.HasPrefix(word, "-") {
			continue
		}
		word = strings.TrimRight(word, ".0123456789")
		for _, l := range table {
			if slices.Contains(l.Interpreters, word) {
				return l
			}
		}
		break
	}
	return &none
}

// Named looks a language up by its name; an unknown one has none.
func Named(name string) *Language {
	for _, l := range table {
		if l.Name == name {
			return l
		}
	}
	return &none
}

// cText matches the strings and comments of the languages that took them from C.
var cText = pattern.New("//[^\n]*|(?s:/\\*.*?\\*/)|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|`[^`$]*`")
