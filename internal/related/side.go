package related

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/declared"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/wording"
)

// What of a file is shown: a short one whole; of a longer one what stands outside of
// functions, the functions that matter, and how other methods of their classes begin; of a
// long one its head, those functions and what is near the change.
const (
	wholeFile  = 40  // lines
	middleFile = 160 // lines
	headLines  = 20
	besideDiff = 1     // lines around the change in a file of middle length
	nearChange = 12    // lines around it in a long one
	largeFile  = 40000 // characters; of larger files long lines are shown in part
	longLine   = 2000  // characters of a line of a large file
	callsWhole = 24    // lines of a function that calls one of those that matter
)

// Side is a changed file as it is shown: line by line, "+" before lines that the
// change wrote, "+!" where no test runs them, "-" before those it took away, which
// stand where they were.
type Side struct {
	Path           string
	Source, Before string // Before is empty when the file is new, or did not change
	Added          []qa.Range
	Whole          []qa.Range // functions that are shown whole, and parts of long ones
	Hidden         []qa.Range // of a file of middle length: what the change has no part in
	Unrun          []qa.Range // lines that the change wrote and no test runs, where it is asked for tests
	Part           []qa.Range // all that is shown, see [Narrowed]; none is no bound

	functions []qa.Function // of the file
	was       []qa.Outline  // the file before the change, where there was one
}

// Side is what of a file is shown for a change: the functions that it touches, those
// at further lines, and small ones of the file beside them.
func (c *Code) Side(ctx context.Context, file qa.FileChange, src []byte, more ...qa.Range) (s Side, touched []qa.Function) {
	s = Side{Path: file.Path, Source: string(src), Added: file.Added, Before: string(c.o.Before(ctx, file))}
	parsed, err := c.Parse(file.Path, src)
	if err != nil {
		return s, nil
	}
	s.functions = parsed.Functions
	if was, err := c.Parse(file.Path, []byte(s.Before)); err == nil && s.Before != "" {
		s.was = []qa.Outline{was}
	}
	var others []qa.Function
	for _, fn := range parsed.Functions {
		altered := file.Alters(fn.Lines)
		if altered {
			touched = append(touched, fn)
		}
		if !altered && !slices.Contains(more, fn.Lines) {
			others = append(others, fn)
			continue
		}
		if altered {
			s.Whole = append(s.Whole, s.sliced(fn.Lines)...)
		} else {
			s.Whole = append(s.Whole, fn.Lines)
		}
		s.Whole = append(s.Whole, beside(c.graph(), file.Path, fn.Name)...)
	}
	s.leaveOut(others, touched)
	if said := s.words(""); len(said) > 0 {
		for _, d := range declared.In(parsed, s.Source) {
			if slices.Contains(said, d.Name) {
				for _, part := range d.Told(said) {
					s.Whole = append(s.Whole, part.Range)
				}
			}
		}
	}
	return s, touched
}

// beside are small functions of a file that one of its functions calls, or that
// call it.
func beside(graph *outline.Graph, file, symbol string) []qa.Range {
	var out []qa.Range
	small := func(all []outline.Caller, most int) {
		for _, at := range all {
			if at.Path == file && at.Function.Lines.Len() <= most {
				out = append(out, at.Function.Lines)
			}
		}
	}
	small(graph.Callees(file, symbol), smallBody)
	small(graph.Callers(file, symbol), callsWhole)
	return out
}

// shows reports whether a function can be seen whole.
func (s Side) shows(at outline.Caller) bool {
	lines := strings.Count(s.Source, "\n")
	within := func(margin int) func(qa.Range) bool {
		return func(r qa.Range) bool {
			return r.Start-margin <= at.Function.Lines.Start && at.Function.Lines.End <= r.End+margin
		}
	}
	if s.Part != nil {
		return at.Path == s.Path && slices.ContainsFunc(s.Part, within(0))
	}
	return at.Path == s.Path && (lines <= wholeFile || slices.ContainsFunc(s.Whole, within(0)) || slices.ContainsFunc(s.Added, within(margin(lines))))
}

// short reports whether all of the file is shown.
func (s Side) short() bool { return strings.Count(s.Source, "\n") <= wholeFile }

// margin is how many lines are shown on each side of those that the change wrote, of a file
// of so many.
func margin(lines int) int {
	if lines > middleFile {
		return nearChange
	}
	return besideDiff
}

// Text is all that is shown of the file.
func (s Side) Text() string { return Joined(s.Rows(), func(int) bool { return true }) }

// Joined puts rows together of which some are wanted, with a sign for those that are
// left out; the last row is no line.
func Joined(rows []string, wanted func(line int) bool) string {
	var b strings.Builder
	skipped := false
	for i, text := range rows {
		if text == "" || !wanted(i+1) {
			skipped = skipped || text != "" || i+1 < len(rows)
			continue
		}
		if skipped {
			b.WriteString("…\n")
			skipped = false
		}
		b.WriteString(text)
	}
	if skipped {
		b.WriteString("…\n")
	}
	return b.String()
}

// Wrote reports whether the change wrote a line.
func (s Side) Wrote(line int) bool { return overlaps(s.Added, line, line) }

// CutsChange reports whether a line that the change wrote is too long to be shown whole.
func (s Side) CutsChange() bool {
	if len(s.Source) <= largeFile {
		return false
	}
	n := 0
	for line := range strings.Lines(s.Source) {
		if n++; len(strings.TrimSuffix(line, "\n")) > longLine && s.Wrote(n) {
			return true
		}
	}
	return false
}

// Rows are the lines of the file as they are shown, each below those that were taken
// away before it, and empty where it is not worth its tokens. The last one is what
// was taken away at the end.
func (s Side) Rows() []string {
	lines := strings.Split(strings.TrimSuffix(s.Source, "\n"), "\n")
	gone := map[int][]string{}
	added := s.Wrote
	var at []int
	if s.Before != "" {
		all, written := s.compared()
		added = func(n int) bool { _, ok := slices.BinarySearch(written, n); return ok }
		for _, g := range all {
			gone[g.At] = append(gone[g.At], g.Lines...)
			at = append(at, g.At)
		}
	}
	out := make([]string, 0, len(lines)+1)
	licence := language.Licence(lines)
	for i, line := range lines {
		n := i + 1
		if !s.worth(n, len(lines), at) || n <= licence && !added(n) && len(gone[n]) == 0 {
			out = append(out, "")
			continue
		}
		if len(s.Source) > largeFile {
			line = wording.Cut(line, longLine)
		}
		mark := "  "
		switch {
		case overlaps(s.Unrun, n, n):
			mark = "+!"
		case added(n):
			mark = "+ "
		}
		out = append(out, Gone(gone[n])+mark+line+"\n")
	}
	if s.Part != nil && !s.worth(len(lines)+1, len(lines), at) {
		return append(out, "")
	}
	return append(out, Gone(gone[len(lines)+1]))
}

// Gone are lines that the change took away.
func Gone(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return b.String()
}

// worth reports whether a line of so many is worth its tokens.
func (s Side) worth(line, lines int, gone []int) bool {
	near := margin(lines)
	in := func(r qa.Range) bool { return r.Contains(line) }
	switch {
	case s.Part != nil:
		return slices.ContainsFunc(s.Part, in)
	case lines <= wholeFile, overlaps(s.Added, line-near, line+near), slices.ContainsFunc(s.Whole, in),
		slices.ContainsFunc(gone, func(at int) bool { return at >= line-near && at <= line+near }):
		return true
	case lines > middleFile:
		return line <= headLines
	}
	return !slices.ContainsFunc(s.Hidden, in)
}

func overlaps(ranges []qa.Range, from, to int) bool {
	return slices.ContainsFunc(ranges, func(r qa.Range) bool { return r.Overlaps(qa.Range{Start: from, End: to}) })
}
