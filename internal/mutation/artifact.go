package mutation

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/org/qa-action/internal/change"
)

// File is mutation.json: the mutants of the change in the
// mutation-testing report schema, version 2, which the viewers of that schema
// show. https://github.com/stryker-mutator/mutation-testing-elements
type File struct {
	Version    string             `json:"schemaVersion"`
	Thresholds Bands              `json:"thresholds"`
	Files      map[string]Source  `json:"files"`
	Tests      map[string]Killers `json:"testFiles"`
	Framework  Program            `json:"framework"`
}

// Bands are the scores, in percent, that a viewer shows as good and as
// bad.
type Bands struct {
	High int `json:"high"`
	Low  int `json:"low"`
}

type Program struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type Source struct {
	Language string    `json:"language"`
	Text     string    `json:"source"`
	Mutants  []Verdict `json:"mutants"`
}

type Verdict struct {
	ID          string   `json:"id"`
	Operator    string   `json:"mutatorName"`
	Replacement string   `json:"replacement"`
	Location    Span     `json:"location"`
	Status      string   `json:"status"`
	KilledBy    []string `json:"killedBy,omitempty"`
}

// Span is a place in the source; the end is the first place behind it.
type Span struct {
	Start Place `json:"start"`
	End   Place `json:"end"`
}

// Place counts from 1. Columns are UTF-16 units: viewers are web pages.
type Place struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Killers is a file, or a class, of tests that killed mutants.
type Killers struct {
	Tests []Killer `json:"tests"`
}

type Killer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Artifact shows mutants with what became of them; killers names the
// generated test that killed one. What does not fit the file, or has none that can
// be read, is left out: mutants may come from the session of a shard.
func Artifact(all []Judged, killers map[string]string, version string, read func(string) ([]byte, error)) File {
	out := File{
		Version: "2", Thresholds: Bands{High: 80, Low: 60}, Files: map[string]Source{},
		Tests: map[string]Killers{}, Framework: Program{Name: "qa", Version: version},
	}
	for _, m := range all {
		src, err := read(m.Path)
		if err != nil || m.StartByte < 0 || m.StartByte > m.EndByte || m.EndByte > len(src) {
			continue
		}
		file, known := out.Files[m.Path]
		if !known {
			_, language, _ := change.Classify(m.Path, nil)
			file = Source{Language: language, Text: string(src)}
		}
		v := Verdict{ID: m.ID, Operator: m.Operator, Replacement: m.Replacement, Status: m.Status, Location: Span{placeOf(src, m.StartByte), placeOf(src, m.EndByte)}}
		if by := killers[m.ID]; by != "" {
			v.Status, v.KilledBy = Killed, []string{by}
			name, _, _ := strings.Cut(by, " > ")
			tests := out.Tests[name]
			if !slices.ContainsFunc(tests.Tests, func(k Killer) bool { return k.ID == by }) {
				tests.Tests = append(tests.Tests, Killer{ID: by, Name: strings.TrimPrefix(by, name+" > ")})
			}
			out.Tests[name] = tests
		}
		file.Mutants = append(file.Mutants, v)
		out.Files[m.Path] = file
	}
	return out
}

// placeOf is where the byte at offset stands.
func placeOf(src []byte, offset int) Place {
	before := src[:offset]
	line := string(before[bytes.LastIndexByte(before, '\n')+1:])
	return Place{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + len(utf16.Encode([]rune(line)))}
}
