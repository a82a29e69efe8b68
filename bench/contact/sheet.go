package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

// written is a row of an earlier sheet.
var written = regexp.MustCompile("(?m)^\\| ([\\w.-]+/[\\w.-]+) `[0-9a-f]{7}` \\|.*\\|$")

// byHand is where rows keep what people wrote below the table, from its heading on.
const byHand = ""

// readRows takes the rows of an earlier sheet.
func readRows(name string) (map[string]string, error) {
	rows := map[string]string{}
	if name == "" {
		return rows, nil
	}
	raw, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, m := range written.FindAllStringSubmatch(string(raw), -1) {
		rows[m[1]] = m[0]
	}
	if _, notes, ok := strings.Cut(string(raw), "\n## "); ok {
		rows[byHand] = "\n## " + notes
	}
	return rows, nil
}

// sheet is the page: how many rows are right, and each with its reason.
func sheet(facts []fact, rows map[string]string) string {
	counts := map[string]int{}
	var table strings.Builder
	total := 0
	for _, f := range facts {
		line, ran := rows[f.repository]
		if !ran {
			continue
		}
		total++
		for _, outcome := range []string{right, wrong, uncounted, unknown} {
			if strings.Contains(line, "` | "+outcome+" | ") {
				counts[outcome]++
			}
		}
		table.WriteString(line + "\n")
	}
	return fmt.Sprintf(`# First contact

Written by `+"`make contact DIR=…`"+`: the product on fresh clones of public repositories, with nothing installed and no configuration, held against [what their own test commands said](https://github.com/org/qa-action/blob/main/testdata/contact/repositories.csv) in an environment made by hand. Counts are tests that passed, failed and were skipped; what stands in brackets, and "bare", is of the own command. Seconds are of the wall and of processors: a run installs, measures coverage, and runs base as well.

A row is right when no verdict is green or red against the facts and all counts are the same; coverage may differ by %g points, because tools count lines differently. Tests are those that hold no others: a test of Go with subtests, or a block of tape with blocks in it, is not counted, while the own commands of some count both. Suites of all modules and packages of a repository are added up.

**%d of %d right, %d wrong, %d without counts, %d INCONCLUSIVE**; %d more are in the list and were not run.

| repository | outcome | verdict | tests | coverage | seconds: wall, processor | bare: wall, processor | reason |
|---|---|---|---|---|---|---|---|
%s%s`, near, counts[right], total, counts[wrong], counts[uncounted], counts[unknown], len(facts)-total, table.String(), rows[byHand])
}
