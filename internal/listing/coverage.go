// Package listing prints what coverage and test reports say, as text for people or
// as JSON for programs.
package listing

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// coverageJSON is the published shape of `qa coverage --json`.
type coverageJSON struct {
	Lines      *qa.Count          `json:"lines"`
	Statements *qa.Count          `json:"statements"`
	Branches   *qa.Count          `json:"branches"`
	Functions  *qa.Count          `json:"functions"`
	Files      []coverageFileJSON `json:"files"`
	Patch      *patchJSON         `json:"patch,omitempty"`
	Warnings   []string           `json:"warnings,omitempty"`
	Conflicts  []string           `json:"conflicts,omitempty"`
}

type coverageFileJSON struct {
	Path     string    `json:"path"`
	Lines    *qa.Count `json:"lines"`
	Branches *qa.Count `json:"branches"`
}

type patchJSON struct {
	Lines    qa.Count      `json:"lines"`
	Missing  []missingJSON `json:"missing"`
	Changed  int           `json:"changed"`
	NonCode  int           `json:"non_code"`
	Excluded int           `json:"excluded"`
	Unmapped []string      `json:"unmapped"`
}

type missingJSON struct {
	Path   string   `json:"path"`
	Ranges [][2]int `json:"ranges"`
}

// CoverageJSON prints the published shape of `qa coverage --json`.
func CoverageJSON(w io.Writer, cov *qa.Coverage, files *Table, patch *qa.PatchCoverage) error {
	out := coverageJSON{
		Lines: cov.Lines, Statements: cov.Statements, Branches: cov.Branches, Functions: cov.Functions,
		Files: []coverageFileJSON{}, Warnings: cov.Warnings, Conflicts: cov.Conflicts,
	}
	files.addAll(cov)
	files.each(func(r *row) {
		out.Files = append(out.Files, coverageFileJSON{r.path, r.count(lines), r.count(branches)})
	})
	if patch != nil {
		out.Patch = &patchJSON{
			Lines: patch.Lines, Missing: make([]missingJSON, len(patch.Missing)),
			Changed: patch.Changed, NonCode: patch.NonCode, Excluded: patch.Excluded, Unmapped: patch.Unmapped,
		}
		for i, m := range patch.Missing {
			row := missingJSON{Path: m.Path}
			for _, r := range m.Ranges {
				row.Ranges = append(row.Ranges, [2]int{r.Start, r.End})
			}
			out.Patch.Missing[i] = row
		}
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	// The runner obeys "##[…]" anywhere in a log line; the escape is the same JSON.
	_, err = w.Write(append(bytes.ReplaceAll(text, []byte("##["), []byte(`\u0023#[`)), '\n'))
	return err
}

// Coverage prints a table of files, and what the changed lines lack.
func Coverage(w io.Writer, cov *qa.Coverage, files *Table, patch *qa.PatchCoverage) error {
	var out strings.Builder
	for _, text := range cov.Warnings {
		fmt.Fprintf(&out, "warning  %s\n", wording.Logged(text))
	}
	for _, text := range cov.Conflicts {
		fmt.Fprintf(&out, "conflict %s\n", wording.Logged(text))
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return err
	}
	files.addAll(cov)
	if err := printFiles(w, cov, files); err != nil || patch == nil {
		return err
	}
	out.Reset()
	printPatch(&out, patch)
	_, err := io.WriteString(w, out.String())
	return err
}

// printFiles prints the table. Its rows are made twice, for the widths and for the
// page, in one piece of memory: there may be more of them than memory should hold.
func printFiles(w io.Writer, cov *qa.Coverage, files *Table) error {
	var cells [4][]byte
	rows := func(use func()) {
		put := func(name string, counts ...*qa.Count) {
			cells[0] = append(cells[0][:0], name...)
			for i, c := range counts {
				cells[i+1] = appendCount(cells[i+1][:0], c)
			}
			use()
		}
		for i, name := range []string{"FILE", "LINES", "BRANCHES", "FUNCTIONS"} {
			cells[i] = append(cells[i][:0], name...)
		}
		use()
		files.each(func(r *row) {
			put(wording.Logged(r.path), r.count(lines), r.count(branches), r.count(functions))
		})
		put("total", cov.Lines, cov.Branches, cov.Functions)
	}
	var wide [3]int
	rows(func() {
		for i := range wide {
			wide[i] = max(wide[i], utf8.RuneCount(cells[i]))
		}
	})
	page := bufio.NewWriter(w)
	rows(func() {
		for i, cell := range cells {
			_, _ = page.Write(cell) // Flush has the error
			if i == len(wide) {
				break
			}
			for range wide[i] - utf8.RuneCount(cell) + 2 {
				_ = page.WriteByte(' ')
			}
		}
		_ = page.WriteByte('\n')
	})
	return page.Flush()
}

func printPatch(out *strings.Builder, p *qa.PatchCoverage) {
	fmt.Fprintf(out, "changed lines covered: %s", p.Lines.Text())
	if p.Branches != nil && p.Branches.Total > 0 {
		fmt.Fprintf(out, ", branches %s", p.Branches.Text())
	}
	fmt.Fprintf(out, "\n%d changed = %d executable + %d non-code + %d excluded + %d unmapped\n",
		p.Changed, p.Lines.Total, p.NonCode, p.Excluded, p.UnmappedLines)
	for _, m := range p.Missing {
		fmt.Fprintf(out, "missing  %s: %s\n", wording.Logged(m.Path), qa.FormatRanges(m.Ranges))
	}
	for _, path := range p.Unmapped {
		fmt.Fprintf(out, "warning  %s was changed and no report knows it\n", wording.Logged(path))
	}
}

// appendCount writes a count, or a dash where the format cannot give it.
func appendCount(to []byte, c *qa.Count) []byte {
	if c == nil {
		return append(to, '-')
	}
	return c.AppendText(to)
}
