package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
)

// columns of the list, in order.
var columns = []string{"repository", "commit", "base", "passed", "failed", "skipped", "coverage", "seconds", "processor"}

// fact is what a repository's own test command said of a commit.
type fact struct {
	repository, commit, base string
	passed, failed, skipped  int
	coverage                 float64 // percent of lines; -1 where the command prints none
	seconds, processor       float64
}

var (
	repositoryName = regexp.MustCompile(`^[\w.-]+/[\w.-]+$`)
	commitID       = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// readFacts reads the list; every line must hold what the first one promises.
func readFacts(name string) ([]fact, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was read
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(lines) == 0 || !slices.Equal(lines[0], columns) {
		return nil, fmt.Errorf("%s: the first line is not %q", name, columns)
	}
	var out []fact
	seen := map[string]bool{}
	for i, line := range lines[1:] {
		one, err := factOf(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		if seen[one.repository] {
			return nil, fmt.Errorf("%s:%d: %s stands twice", name, i+2, one.repository)
		}
		seen[one.repository] = true
		out = append(out, one)
	}
	return out, nil
}

func factOf(line []string) (fact, error) {
	f := fact{repository: line[0], commit: line[1], base: line[2]}
	if !repositoryName.MatchString(f.repository) || !commitID.MatchString(f.commit) || !commitID.MatchString(f.base) {
		return f, errors.New("expected owner/name and two commits of 40 digits")
	}
	var problems []error
	numbers := map[string]float64{}
	for at := 3; at < len(columns); at++ {
		name, text := columns[at], line[at]
		x, err := strconv.ParseFloat(text, 64)
		whole := at > 5 || x == math.Trunc(x) // counts are
		switch {
		case name == "coverage" && text == "":
			x = -1
		case err != nil || !whole || !(x >= 0 && x < 1e9):
			problems = append(problems, fmt.Errorf("%s: %q is no number of its kind", name, text))
		}
		numbers[name] = x
	}
	f.passed, f.failed, f.skipped = int(numbers["passed"]), int(numbers["failed"]), int(numbers["skipped"])
	f.coverage, f.seconds, f.processor = numbers["coverage"], numbers["seconds"], numbers["processor"]
	return f, errors.Join(problems...)
}
