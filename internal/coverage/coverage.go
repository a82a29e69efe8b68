// Package coverage reads coverage reports of any kind into [qa.Coverage], joins
// several reports of one run, and measures a change with them. Start at [Read];
// [Patch] gives the coverage of changed lines, [Merge] joins what was read.
//
// A format is one file of package format, one line in the table below and one
// folder under testdata. Totals are always counted from the elements of a
// report, never taken from its attributes, which lie. A metric that a format
// cannot give is nil.
//
// Reports are hostile: they are streamed, a line of a text report ends at
// 256 KiB and an XML tag at 8 MiB, counts saturate, and a file name is only ever
// looked up among the files of the tree, never opened. Memory is bounded by what
// a report says, not by how long it says it: about 12 bytes for each executable
// line, 24 for each branch arm and statement of the file being read, a few for each
// once it is put away, plus 1 MiB. How much the reports of
// one run may say stands in measured/limits.go.
package coverage

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/coverage/format"
	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
)

var formats = map[string]measured.Format{
	"lcov":       format.Lcov,
	"opencover":  format.OpenCover,
	"simplecov":  format.SimpleCov,
	"istanbul":   format.Istanbul,
	"cobertura":  format.Cobertura,
	"clover":     format.Clover,
	"jacoco":     format.Jacoco,
	"coveragepy": format.Coveragepy,
	"gocover":    format.Gocover,
}

// For looks a format up by name.
func For(name string) (measured.Format, error) {
	if f, ok := formats[strings.ToLower(name)]; ok {
		return f, nil
	}
	return measured.Format{}, fmt.Errorf("unknown coverage format %q, valid formats are %s", name, strings.Join(Names(), ", "))
}

// Names lists the formats, sorted.
func Names() []string { return slices.Sorted(maps.Keys(formats)) }

// Options say how to read reports. The zero value detects formats and keeps
// file names as they are.
type Options struct {
	// Format overrides detection; empty is by content.
	Format string
	// Root is the absDir of the repository. File names are mapped to paths
	// relative to it. Empty: names are kept, except those that are no
	// relative path.
	Root string
	// Dir is where the run happened, relative to Root.
	Dir string
	// Tracked lists the repository's files. Nil: what exists under Root.
	Tracked []string
	// Aside are files that count only when something of them ran: what a tool lists
	// beside the product. Nil is none.
	Aside func(path string) bool
	// Each, when set, is given each file, sorted by path, and Files stays empty: for those
	// who ask how much of it is covered. A file is lent, and of one report it comes
	// without lines, arms, statements and functions.
	Each func(f *qa.FileCoverage)
}

// ErrNothingMapped says that reports were read and no file of theirs is in the
// repository: the run measured something else.
var ErrNothingMapped = errors.New("no file of the coverage report is in the repository")

// Read reads the reports of one run and joins them. An error names the report,
// the line and what was expected.
func Read(paths []string, o Options) (*qa.Coverage, error) {
	if len(paths) == 0 {
		return nil, errors.New("read coverage: no report given")
	}
	t, err := measured.NewTree(o.Root, o.Dir, o.Tracked)
	if err != nil {
		return nil, fmt.Errorf("read coverage: %w", err)
	}
	defer t.Close()
	var parts []*qa.Coverage
	each := o.Each
	if len(paths) > 1 || o.Aside != nil {
		o.Each = nil // what is joined or left out is known in the end
	}
	left := measured.NewRoom()
	for _, path := range paths {
		part, err := readFile(path, o, t, left)
		if err != nil {
			return nil, err
		}
		if err := t.Err(); err != nil {
			return nil, fmt.Errorf("read coverage: %w", err)
		}
		if o.Aside != nil {
			part.Files = slices.DeleteFunc(part.Files, func(f qa.FileCoverage) bool {
				return o.Aside(f.Path) && f.LineCount != nil && f.LineCount.Covered == 0
			})
			measured.Sum(part)
		}
		parts = append(parts, part)
	}
	cov := Merge(parts...)
	if each != nil && o.Each == nil {
		for i := range cov.Files {
			each(&cov.Files[i])
		}
		cov.Files = nil
	}
	if cov.Lines == nil { // of no file
		return cov, fmt.Errorf("%w: %s", ErrNothingMapped, strings.Join(cov.Warnings, "; "))
	}
	return cov, nil
}

func readFile(path string, o Options, t *measured.Tree, left *measured.Room) (*qa.Coverage, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read coverage: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read coverage: %q is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read coverage: %w", err)
	}
	defer f.Close()
	return parse(f, filepath.ToSlash(path), o, t, left)
}

func parse(r io.Reader, name string, o Options, t *measured.Tree, left *measured.Room) (*qa.Coverage, error) {
	in := bufio.NewReaderSize(measured.Reader{Reader: r, Room: left}, headSize)
	head, err := in.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read coverage %q: %w", name, err)
	}
	if o.Format == "" {
		if o.Format, err = detect(head); err != nil {
			return nil, fmt.Errorf("read coverage %q: %w", name, err)
		}
	}
	f, err := For(o.Format)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return nil, fmt.Errorf("read %s %q: the file is empty, expected a report; did any test run with coverage on?", f.Name, name)
	}
	rep := measured.New(name, f.Name, left)
	err = f.Read(in, rep)
	if rep.Settle(); left.Err != nil {
		err = left.Err
	}
	if err != nil {
		return nil, fmt.Errorf("read %s %q: %w", f.Name, name, err)
	}
	if len(rep.Order) == 0 {
		return nil, fmt.Errorf("read %s %q: the report names no file; did any test run with coverage on?", f.Name, name)
	}
	cov := rep.Finish(t, o.Each)
	if left.Err != nil { // blocks became lines
		return nil, fmt.Errorf("read %s %q: %w", f.Name, name, left.Err)
	}
	return cov, nil
}
