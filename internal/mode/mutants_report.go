package mode

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/org/qa-action/internal/change"
)

// mutantsFile is mutation.json: the mutants of the change in the
// mutation-testing report schema, version 2, which the viewers of that schema
// show. https://github.com/stryker-mutator/mutation-testing-elements
type mutantsFile struct {
	Version    string                 `json:"schemaVersion"`
	Thresholds mutantBands            `json:"thresholds"`
	Files      map[string]mutatedFile `json:"files"`
	Tests      map[string]killerFile  `json:"testFiles"`
	Framework  mutantProgram          `json:"framework"`
}

// mutantBands are the scores, in percent, that a viewer shows as good and as
// bad.
type mutantBands struct {
	High int `json:"high"`
	Low  int `json:"low"`
}

type mutantProgram struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type mutatedFile struct {
	Language string          `json:"language"`
	Source   string          `json:"source"`
	Mutants  []mutantVerdict `json:"mutants"`
}

type mutantVerdict struct {
	ID          string     `json:"id"`
	Operator    string     `json:"mutatorName"`
	Replacement string     `json:"replacement"`
	Location    mutantSpan `json:"location"`
	Status      string     `json:"status"`
	KilledBy    []string   `json:"killedBy,omitempty"`
}

// mutantSpan is a place in the source; the end is the first place behind it.
type mutantSpan struct {
	Start mutantPlace `json:"start"`
	End   mutantPlace `json:"end"`
}

// mutantPlace counts from 1. Columns are UTF-16 units: viewers are web pages.
type mutantPlace struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// killerFile is a file, or a class, of tests that killed mutants.
type killerFile struct {
	Tests []killer `json:"tests"`
}

type killer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// reportMutants writes mutation.json, when there were mutants.
func (r *run) reportMutants() {
	if r.mutation == nil || len(r.mutation.All) == 0 {
		return
	}
	killers := map[string]string{}
	for _, t := range r.earlier() {
		for id, by := range t.Killers {
			if r.killed[id] {
				killers[id] = by
			}
		}
	}
	out := mutantsArtifact(r.mutation.All, killers, r.read)
	out.Framework.Version = r.Version
	r.file("mutation.json", out)
}

// mutantsArtifact shows mutants with what became of them; killers names the
// generated test that killed one. What does not fit the file, or has none that can be read, is left
// out: mutants may come from the session of a shard.
func mutantsArtifact(all []judged, killers map[string]string, read func(string) ([]byte, error)) mutantsFile {
	out := mutantsFile{
		Version: "2", Thresholds: mutantBands{High: 80, Low: 60}, Files: map[string]mutatedFile{},
		Tests: map[string]killerFile{}, Framework: mutantProgram{Name: "qa"},
	}
	for _, m := range all {
		src, err := read(m.Path)
		if err != nil || m.StartByte < 0 || m.StartByte > m.EndByte || m.EndByte > len(src) {
			continue
		}
		file, known := out.Files[m.Path]
		if !known {
			_, language, _ := change.Classify(m.Path, nil)
			file = mutatedFile{Language: language, Source: string(src)}
		}
		v := mutantVerdict{ID: m.ID, Operator: m.Operator, Replacement: m.Replacement, Status: m.Status, Location: mutantSpan{placeOf(src, m.StartByte), placeOf(src, m.EndByte)}}
		if by := killers[m.ID]; by != "" {
			v.Status, v.KilledBy = mutantKilled, []string{by}
			name, _, _ := strings.Cut(by, " > ")
			tests := out.Tests[name]
			if !slices.ContainsFunc(tests.Tests, func(k killer) bool { return k.ID == by }) {
				tests.Tests = append(tests.Tests, killer{ID: by, Name: strings.TrimPrefix(by, name+" > ")})
			}
			out.Tests[name] = tests
		}
		file.Mutants = append(file.Mutants, v)
		out.Files[m.Path] = file
	}
	return out
}

// placeOf is where the byte at offset stands.
func placeOf(src []byte, offset int) mutantPlace {
	before := src[:offset]
	line := string(before[bytes.LastIndexByte(before, '\n')+1:])
	return mutantPlace{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + len(utf16.Encode([]rune(line)))}
}
