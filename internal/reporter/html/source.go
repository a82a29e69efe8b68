package html

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/wording"
)

// Limits of the annotated source: a page stays readable, and quick to open.
const (
	sourceContext  = 3       // unchanged lines around what is shown
	sourceFileRows = 1500    // rows of one file
	sourceRows     = 12_000  // rows of all files
	sourceBytes    = 2 << 20 // largest file looked at
)

// sourceFile is one changed file with the lines worth reading.
type sourceFile struct {
	Path    string
	Patch   *qa.Count
	Missing int // uncovered changed lines
	Issues  int
	Rows    []sourceRow
	Note    string // what is not shown, and why
	lines   map[int]bool
}

func (f sourceFile) has(n int) bool { return f.lines[n] }

// sourceRow is one line of source, or a gap of lines left out (Gap > 0).
type sourceRow struct {
	Number   int
	Text     string
	Changed  bool
	State    string // covered, partial, missed, "" for not code or unknown
	Gap      int
	Findings []qa.Finding
}

// Mark is the sign beside a line, so that colour is not the only difference.
func (r sourceRow) Mark() string {
	return map[string]string{"covered": "✓", "partial": "◐", "missed": "✗"}[r.State]
}

// Says is the state in words, for readers who do not see the mark.
func (r sourceRow) Says() string {
	return map[string]string{"covered": "covered", "partial": "covered, not all branches", "missed": "not covered"}[r.State]
}

// sourceFiles reads the changed source files that still exist; the second
// result says what had to be left out.
func sourceFiles(r *qa.Report, read func(string) ([]byte, error)) ([]sourceFile, string) {
	changed := r.Change.Of(qa.KindSource)
	if len(changed) == 0 {
		return nil, ""
	}
	if read == nil {
		return nil, "The source was not at hand when this page was made."
	}
	rows := map[string]qa.FileRow{}
	for _, f := range r.Coverage.Files {
		rows[f.Path] = f
	}
	var out []sourceFile
	budget, skipped := sourceRows, 0
	for _, f := range changed {
		if budget <= 0 {
			skipped++
			continue
		}
		s := known{f, rows[f.Path], r.Coverage.Head.File(f.Path), findingsIn(r.Findings, f.Path)}.source(read, min(budget, sourceFileRows))
		budget -= len(s.Rows)
		out = append(out, s)
	}
	if skipped > 0 {
		return out, fmt.Sprintf("%d of %d changed files shown; the others are too much for one page.", len(out), len(changed))
	}
	return out, ""
}

func findingsIn(all []qa.Finding, path string) []qa.Finding {
	return extract.Selected(all, func(f qa.Finding) bool {
		return f.Path == path && f.Status != qa.StatusFixed && f.Status != qa.StatusDismissed
	})
}

// known is what a report says of a changed file.
type known struct {
	qa.FileChange
	row      qa.FileRow
	measured *qa.FileCoverage
	findings []qa.Finding
}

// source shows the lines around changes and findings, so many at most.
func (f known) source(read func(string) ([]byte, error), limit int) sourceFile {
	row, findings := f.row, f.findings
	out := sourceFile{Path: f.Path, Patch: row.Patch, Missing: extract.LineCount(row.Missing), Issues: len(findings), lines: map[int]bool{}}
	raw, err := read(f.Path)
	switch {
	case err != nil:
		out.Note = "The file could not be read."
		return out
	case len(raw) > sourceBytes || bytes.IndexByte(raw, 0) >= 0:
		out.Note = fmt.Sprintf("The file has %d bytes or is binary, and is not shown.", len(raw))
		return out
	}
	text := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	at := map[int][]qa.Finding{}
	wanted := append([]qa.Range(nil), f.Added...)
	for _, finding := range findings {
		n := min(max(finding.Lines.Start, 1), len(text))
		at[n] = append(at[n], finding)
		wanted = append(wanted, qa.Range{Start: n, End: n})
	}
	for i := range wanted {
		wanted[i] = qa.Range{Start: wanted[i].Start - sourceContext, End: wanted[i].End + sourceContext}
	}
	near, changed, states := inside(wanted, len(text)), inside(f.Added, len(text)), lineStates(f.measured, row, len(text))
	last := 0
	for n := 1; n <= len(text); n++ {
		if !near[n] {
			continue
		}
		if len(out.Rows) >= limit {
			out.Note = fmt.Sprintf("Lines 1 to %d of %d shown.", last, len(text))
			return out
		}
		if n > last+1 {
			out.Rows = append(out.Rows, sourceRow{Gap: n - last - 1})
		}
		out.Rows = append(out.Rows, sourceRow{Number: n, Text: wording.Cut(strings.TrimRight(wording.Plain(wording.Bound(text[n-1], 400)), "\n"), 400),
			Changed: changed[n], State: states[n], Findings: at[n]})
		out.lines[n] = true
		last = n
	}
	if last > 0 && last < len(text) {
		out.Rows = append(out.Rows, sourceRow{Gap: len(text) - last})
	}
	return out
}

// lineStates knows all lines where the measured lines are at hand, and the
// changed ones where only report.json is. Index 0 is unused.
func lineStates(file *qa.FileCoverage, row qa.FileRow, n int) []string {
	out := make([]string, n+1)
	if file != nil {
		for _, l := range file.Lines {
			if l.Line < 1 || int(l.Line) > n {
				continue
			}
			switch {
			case l.Hits == 0:
				out[l.Line] = "missed"
			case l.Partial():
				out[l.Line] = "partial"
			default:
				out[l.Line] = "covered"
			}
		}
	}
	for _, part := range []struct {
		state  string
		ranges []qa.Range
	}{{"covered", row.Covered}, {"partial", row.Partial}, {"missed", row.Missing}} {
		for i, in := range inside(part.ranges, n) {
			if in {
				out[i] = part.state
			}
		}
	}
	return out
}

// inside marks the lines 1 to n that any range holds, in one pass over each:
// the ranges may be many, long and wrong.
func inside(ranges []qa.Range, n int) []bool {
	depth := make([]int, n+2)
	for _, r := range ranges {
		start, end := max(r.Start, 1), min(r.End, n)
		if start <= end {
			depth[start]++
			depth[end+1]--
		}
	}
	out := make([]bool, n+1)
	open := 0
	for i := 1; i <= n; i++ {
		open += depth[i]
		out[i] = open > 0
	}
	return out
}
