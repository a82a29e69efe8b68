// Package testreport reads what test runners write and says what really ran.
//
// Start at [Read]. Each format is one reader in a package below and one line of
// the table in this file; all of them hand what they find to a
// [collect.Collector], which holds the rules they share:
//
//   - Elements are counted, never the totals that a report claims; claims that
//     disagree are warnings.
//   - A test is a leaf. Retries of one test are one case, flaky when an attempt
//     passed. Several failures of one test are one failed case.
//   - What fails outside any test (a package that does not build, a file that
//     cannot be collected) is a [qa.Problem].
//   - Text is bounded, valid UTF-8 and free of escape sequences. Paths never
//     lead out of the repository.
//
// No report is ever silently good: one that holds no test, is empty, cut off or
// not of its format is an error of the kinds in collect/errors.go.
package testreport

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testreport/console"
	"github.com/org/qa-action/internal/testreport/dotnet"
	"github.com/org/qa-action/internal/testreport/gotest"
	"github.com/org/qa-action/internal/testreport/jsonfile"
	"github.com/org/qa-action/internal/testreport/junit"
	"github.com/org/qa-action/internal/testreport/libtest"
	"github.com/org/qa-action/internal/testreport/tap"
)

// Options say how to read.
type Options struct {
	// Format is a key of [Names]; empty means detection by content.
	Format string
	// Root is the absolute repository root that paths are made relative to.
	// Empty leaves paths as the report has them, with forward slashes.
	Root string
	// Dir is where the tests ran, relative to Root: a relative path is looked up
	// there first, since two packages may have files of one name.
	Dir string
	// Failed says that the command which wrote the report did not end with exit code 0.
	// Then nothing says that a test which fails and has a namesake that passes was tried
	// again, unless the writer does.
	Failed bool
}

// Format is one kind of report.
type Format struct {
	// detect looks at the first bytes of a file, byte order mark removed.
	detect func(head []byte) bool
	read   func(r *bufio.Reader, c *collect.Collector) error
	xml    bool
	// beside says that it tells what failed beside the tests of another report, and
	// none of its own.
	beside bool
}

var formats = map[string]Format{
	"bun":     {console.IsBun, console.ReadBun, false, true},
	"ctrf":    {jsonfile.IsCTRF, jsonfile.ReadCTRF, false, false},
	"deno":    {console.IsDeno, console.ReadDeno, false, true},
	"dart":    {jsonfile.IsDart, jsonfile.ReadDart, false, false},
	"gradle":  {console.IsGradle, console.ReadGradle, false, true},
	"gotest":  {gotest.Is, gotest.Read, false, false},
	"jest":    {jsonfile.IsJest, jsonfile.ReadJest, false, false},
	"junit":   {junit.Is, junit.Read, true, false},
	"libtest": {libtest.Is, libtest.Read, false, false},
	"maven":   {console.IsMaven, console.ReadMaven, false, true},
	"mocha":   {jsonfile.IsMocha, jsonfile.ReadMocha, false, false},
	"nodetap": {tap.IsAssertions, tap.ReadAssertions, false, false},
	"nunit":   {dotnet.IsNUnit, dotnet.ReadNUnit, true, false},
	"outside": {jsonfile.IsOutside, jsonfile.ReadOutside, false, true},
	"rspec":   {jsonfile.IsRSpec, jsonfile.ReadRSpec, false, false},
	"tap":     {tap.Is, tap.Read, false, false},
	"trx":     {dotnet.IsTRX, dotnet.ReadTRX, true, false},
	"vitest":  {jsonfile.IsVitest, jsonfile.ReadJest, false, false},
	"xunit":   {dotnet.IsXUnit, dotnet.ReadXUnit, true, false},
}

// Names lists the formats.
func Names() []string { return slices.Sorted(maps.Keys(formats)) }

// For looks a format up by name.
func For(name string) (Format, error) {
	f, ok := formats[name]
	if !ok {
		return Format{}, fmt.Errorf("unknown test report format %q, expected one of %s", name, strings.Join(Names(), ", "))
	}
	return f, nil
}

// detect names the format of a report that begins with head, which may be
// shorter than the report; 4 KiB are enough for what the runners write.
func detect(head []byte) (name string, ok bool) {
	head = collect.CleanHead(head)
	for _, name := range Names() {
		if formats[name].detect(head) {
			return name, true
		}
	}
	return "", false
}

// printed finds a document in XML behind lines that others printed before it, and
// passes those.
func printed(in *bufio.Reader, head []byte, c *collect.Collector) (name string, ok bool) {
	for _, start := range []string{"\n<?xml", "\n<testsuite"} {
		i := bytes.Index(head, []byte(start))
		if i < 0 {
			continue
		}
		if name, ok = detect(head[i+1:]); ok && formats[name].xml {
			c.Warnf("lines before the report, left out: %d", 1+bytes.Count(head[:i], []byte{'\n'}))
			_, err := in.Discard(i + 1)
			return name, err == nil
		}
	}
	return "", false
}

// Read reads the reports of one run and joins them. A path that is named twice
// is read once. Tests of different files are never taken for attempts of each
// other.
//
// The suite holds everything that could be read even when there is an error;
// the error joins one [Error] per report that could not be read to its end.
// [ErrNoTests] alone means that all reports were readable and no test is in
// them: look at Suite.Problems then, a failed build is a definite failure.
func Read(paths []string, o Options) (qa.Suite, error) {
	var all qa.Suite
	places, err := collect.NewPlaces(o.Root, o.Dir)
	if err != nil {
		return all, err
	}
	defer places.Close()
	var errs, empty []error
	seen := map[string]bool{}
	ids := map[string]int{}
	for i, path := range paths {
		if seen[path] {
			continue
		}
		seen[path] = true
		suite, err := readFile(path, o, places)
		switch {
		case errors.Is(err, collect.ErrNoTests):
			empty = append(empty, err)
		default:
			errs = append(errs, err) // nil is dropped by Join
		}
		join(&all, suite, ids, i)
		if places.Room.Err != nil {
			break // there is no room for what the others hold
		}
	}
	if len(paths) == 0 {
		errs = append(errs, fmt.Errorf("%w: no report file was named", collect.ErrNoTests))
	}
	all.Problems = told(all.Problems)
	if len(all.Cases) == 0 { // a file without tests is normal beside others
		errs = append(errs, empty...)
	}
	return all, errors.Join(errs...)
}

// told leaves out that a file failed beside its tests where each error of it is told.
func told(problems []qa.Problem) []qa.Problem {
	one := func(file string) bool {
		return slices.ContainsFunc(problems, func(p qa.Problem) bool { return p.Kind == qa.OutsideTests && p.Where == file })
	}
	return slices.DeleteFunc(problems, func(p qa.Problem) bool { return p.Kind == "setup" && one(p.Where) })
}

// join adds the suite of one more file. A test that two files name stays two
// cases, because nothing says which of them was first.
func join(all *qa.Suite, s qa.Suite, ids map[string]int, file int) {
	if file == 0 {
		*all = s
		return
	}
	if len(ids) == 0 {
		for _, c := range all.Cases {
			ids[c.ID()]++
		}
	}
	twice, example := 0, ""
	for _, c := range s.Cases {
		id := c.ID()
		if n := ids[id]; n > 0 {
			if twice++; twice == 1 {
				example = id
			}
			c.Name = fmt.Sprintf("%s (%d)", c.Name, n+1)
		}
		ids[id]++
		all.Cases = append(all.Cases, c)
	}
	all.Problems = append(all.Problems, s.Problems...)
	all.Warnings = append(all.Warnings, s.Warnings...)
	all.Seconds += s.Seconds
	if twice > 0 {
		all.Warnings = append(all.Warnings, fmt.Sprintf("tests that are in several reports, counted for each: %d, for example %q", twice, example))
	}
}

func readFile(path string, o Options, places *collect.Places) (qa.Suite, error) {
	info, err := os.Stat(path)
	if err != nil {
		return qa.Suite{}, &collect.Error{File: path, Err: fs.ErrNotExist, Want: "a test report; did the test command write it?"}
	}
	if !info.Mode().IsRegular() {
		return qa.Suite{}, &collect.Error{File: path, Err: collect.ErrFormat, Want: "a regular file", Got: info.Mode().Type().String()}
	}
	f, err := os.Open(path)
	if err != nil {
		return qa.Suite{}, fmt.Errorf("open test report: %w", err)
	}
	defer f.Close()
	return read(f, path, o, places)
}

func read(r io.Reader, name string, o Options, places *collect.Places) (qa.Suite, error) {
	c := collect.New(name, places)
	c.Failed = o.Failed
	in := bufio.NewReaderSize(collect.Reader{Reader: r, Room: places.Room}, collect.HeadSize)
	head, err := in.Peek(collect.HeadSize)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return qa.Suite{}, fmt.Errorf("read %s: %w", name, err)
	}
	if len(head) == 0 || len(bytes.TrimSpace(collect.CleanHead(head))) == 0 && err == io.EOF {
		return qa.Suite{}, &collect.Error{File: name, Err: collect.ErrEmpty, Want: "a test report; did the test command crash?"}
	}
	key := o.Format
	if key == "" {
		var ok bool
		if key, ok = detect(head); !ok {
			key, ok = printed(in, head, c)
		}
		if !ok {
			return qa.Suite{}, &collect.Error{File: name, Line: 1, Err: collect.ErrFormat, Want: "one of " + strings.Join(Names(), ", "), Got: collect.Opening(head)}
		}
	}
	format, err := For(key)
	if err != nil {
		return qa.Suite{}, err
	}
	if !format.xml { // XML says its encoding itself
		if in, err = collect.Utf8Reader(in); err != nil {
			return qa.Suite{}, fmt.Errorf("read %s: %w", name, err)
		}
	}
	err = format.read(in, c)
	if full := places.Room.Err; full != nil {
		err = full
	}
	suite := c.Finish()
	if err != nil {
		return suite, collect.Located(err, name)
	}
	if len(suite.Cases) == 0 {
		if len(suite.Problems) == 0 && !format.beside {
			suite.Warnings = append(suite.Warnings, name+": holds no test")
		}
		want := "at least one test"
		if len(suite.Problems) > 0 {
			want += "; " + suite.Problems[0].Where + ": " + collect.FirstLine(suite.Problems[0].Message)
		}
		return suite, &collect.Error{File: name, Err: collect.ErrNoTests, Want: want}
	}
	return suite, nil
}
