package coverage

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

// fuzz feeds a reader with damaged reports of real tools. It must not panic,
// must give the same for any size of reads, and what it gives must be in order.
func fuzz(f *testing.F, format string) {
	for _, file := range reports(f, format) {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 4000 { // larger seeds only slow the search down
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		o := Options{Format: format, Tracked: tracked}
		cov, err := parseText(bytes.NewReader(in), "r", o)
		again, errAgain := parseText(iotest.HalfReader(bytes.NewReader(in)), "r", o)
		if (err == nil) != (errAgain == nil) || !cmp.Equal(cov, again) {
			t.Fatalf("at once %v, in small reads %v", err, errAgain)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "read "+format+` "r": `) {
				t.Fatalf("error without context: %v", err)
			}
			return
		}
		inOrder(t, cov)
		both := Merge(cov, again)
		inOrder(t, both)
		if cov.Lines != nil && *both.Lines != *cov.Lines {
			t.Fatalf("merged with itself: %v instead of %v", both.Lines, cov.Lines)
		}
	})
}

// inOrder checks what every Coverage promises.
func inOrder(t *testing.T, cov *qa.Coverage) {
	t.Helper()
	known := map[string]bool{}
	for _, p := range tracked {
		known[p] = true
	}
	var last string
	for _, f := range cov.Files {
		if f.Path <= last || !known[f.Path] {
			t.Fatalf("path %q after %q", f.Path, last)
		}
		last = f.Path
		for i, l := range f.Lines {
			if l.Line <= 0 || i > 0 && l.Line <= f.Lines[i-1].Line {
				t.Fatalf("%s: line %d out of order", f.Path, l.Line)
			}
			if l.BranchesTaken > l.Branches {
				t.Fatalf("%s: line %d takes %d of %d branches", f.Path, l.Line, l.BranchesTaken, l.Branches)
			}
		}
		for _, c := range []*qa.Count{f.LineCount, f.Statements, f.Branches, f.Functions} {
			if c != nil && (c.Covered < 0 || c.Covered > c.Total) {
				t.Fatalf("%s: %d of %d", f.Path, c.Covered, c.Total)
			}
		}
	}
}

func FuzzLCOV(f *testing.F)       { fuzz(f, "lcov") }
func FuzzIstanbul(f *testing.F)   { fuzz(f, "istanbul") }
func FuzzCobertura(f *testing.F)  { fuzz(f, "cobertura") }
func FuzzClover(f *testing.F)     { fuzz(f, "clover") }
func FuzzOpenCover(f *testing.F)  { fuzz(f, "opencover") }
func FuzzSimpleCov(f *testing.F)  { fuzz(f, "simplecov") }
func FuzzJacoco(f *testing.F)     { fuzz(f, "jacoco") }
func FuzzCoveragepy(f *testing.F) { fuzz(f, "coveragepy") }
func FuzzGocover(f *testing.F)    { fuzz(f, "gocover") }

func FuzzDetect(f *testing.F) {
	for _, name := range Names() {
		for _, file := range reports(f, name) {
			if b, err := os.ReadFile(file); err == nil && !strings.HasPrefix(filepath.Base(file), "bad-") {
				f.Add(b[:min(len(b), 1000)])
			}
		}
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		name, err := detect(head)
		if (err == nil) != (name != "") {
			t.Fatalf("%q, %v", name, err)
		}
		if err == nil {
			if _, err := For(name); err != nil {
				t.Fatal(err)
			}
		}
	})
}
