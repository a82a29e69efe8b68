package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"sync"
)

// result is what became of a cell, as one line of the file of results: a matrix
// takes its time, and one that was stopped goes on where it was.
type result struct {
	Cell    string  `json:"cell"`
	Head    string  `json:"head"` // what the bare command said
	Base    string  `json:"base"`
	Verdict string  `json:"verdict"` // empty: qa refused
	Reason  string  `json:"reason"`
	Step    string  `json:"step,omitempty"`
	Found   finding `json:"found"`
	Why     string  `json:"why,omitempty"`
}

func (r row) result() result {
	return result{Cell: r.id(), Head: r.head.String(), Base: r.base.String(), Verdict: string(r.answer.verdict()),
		Reason: anywhere(r.answer.reason()), Step: anywhere(r.step), Found: r.found, Why: anywhere(r.why)}
}

// laid is the folder in which a cell was laid out, another one in every run.
var laid = regexp.MustCompile(`/[^\s"'()]*/qa-sound-\d+/[^/\s"'()]+(/repo)?`)

// anywhere is a text without the place where the cell was.
func anywhere(text string) string { return laid.ReplaceAllString(text, "…") }

// entry is a cell with its result.
type entry struct {
	cell
	result
}

// results are those of cells that were run before, and where new ones go. The
// zero value keeps nothing.
type results struct {
	mu   sync.Mutex
	file *os.File
	done map[string]result
}

// openResults reads a file of results; a line that was cut off does not count.
func openResults(name string) (*results, error) {
	r := &results{done: map[string]result{}}
	if name == "" {
		return r, nil
	}
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read results: %w", err)
	}
	for line := range bytes.Lines(data) {
		var one result
		if json.Unmarshal(line, &one) == nil && one.Cell != "" {
			r.done[one.Cell] = one
		}
	}
	if r.file, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
		return nil, fmt.Errorf("keep results: %w", err)
	}
	return r, nil
}

func (r *results) keep(one result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done[one.Cell] = one
	if r.file == nil {
		return nil
	}
	line, err := json.Marshal(one)
	if err == nil {
		_, err = r.file.Write(append(line, '\n'))
	}
	return err
}

// of are the cells that have a result, in the order of the table.
func (r *results) of(cells []cell) []entry {
	var out []entry
	for _, c := range cells {
		if one, ok := r.done[c.id()]; ok {
			out = append(out, entry{c, one})
		}
	}
	return out
}
