package coverage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
)

// PatchOptions say which changed lines are not asked for.
type PatchOptions struct {
	// Exclude are doublestar globs of paths; see [CheckGlobs].
	Exclude []string
	// Source gives the text of a changed file, nil when it cannot be read. With
	// it a source file that no report knows because there is nothing to run in
	// it, such as one of types, is non-code instead of unmapped.
	Source func(path string) []byte
}

// CheckGlobs finds the malformed ones.
func CheckGlobs(globs []string) error {
	for _, g := range globs {
		if !doublestar.ValidatePattern(g) {
			return fmt.Errorf("malformed glob %q, expected a path with *, **, ?, [a-z] or {a,b}", g)
		}
	}
	return nil
}

// Patch measures the lines that a change wrote. Every added line of the change
// is counted once: executable (Lines.Total), excluded, of an unmapped file, or
// non-code. Excluded are files that match a glob and generated ones. Unmapped
// is a source file that coverage should know and does not: all its lines, since
// nobody can say which are executable. Everything else without an executable
// line is non-code, and so are tests, also where a report measures them or they
// stand in a source file: they
// run themselves, so their lines would hide the uncovered ones of the product.
//
// A nil cov makes every changed source file unmapped.
func Patch(cov *qa.Coverage, files []qa.FileChange, o PatchOptions) qa.PatchCoverage {
	p := qa.PatchCoverage{Missing: []qa.Missing{}, Unmapped: []string{}, Files: map[string]qa.Count{}}
	known := byPath(cov)
	for _, f := range files {
		if f.Status == qa.Deleted || f.Binary || f.Submodule {
			continue
		}
		lines := f.AddedLines()
		if lines == 0 {
			continue
		}
		p.Changed += lines
		fc := known[f.Path]
		switch {
		case f.Generated || excluded(f.Path, o.Exclude):
			p.Excluded += lines
		case f.Kind == qa.KindTest:
			p.NonCode += lines
		case fc == nil || len(fc.Lines) == 0 && fc.LineCount != nil && fc.LineCount.Total > 0:
			if f.Kind != qa.KindSource || fc == nil && nothingToRun(f.Path, o) {
				p.NonCode += lines
				continue
			}
			p.Unmapped = append(p.Unmapped, f.Path)
			p.UnmappedLines += lines
		default:
			patchFile(&p, fc, f.Added, apart(f.Path, o))
			p.NonCode += lines - p.Files[f.Path].Total
		}
	}
	slices.Sort(p.Unmapped)
	slices.SortFunc(p.Missing, func(a, b qa.Missing) int { return strings.Compare(a.Path, b.Path) })
	return p
}

func byPath(cov *qa.Coverage) map[string]*qa.FileCoverage {
	known := map[string]*qa.FileCoverage{}
	if cov != nil {
		for i := range cov.Files {
			known[cov.Files[i].Path] = &cov.Files[i]
		}
	}
	return known
}

func nothingToRun(path string, o PatchOptions) bool {
	if o.Source == nil {
		return false
	}
	src := o.Source(path)
	return src != nil && !hasCode(path, src)
}

func excluded(path string, globs []string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, err := doublestar.Match(g, path)
		return ok && err == nil
	})
}

// apart are the lines of tests inside of a source file, and those without code, which some
// tools measure as well.
func apart(path string, o PatchOptions) [][2]int {
	if o.Source == nil {
		return nil
	}
	l, src := language.Of(path), string(o.Source(path))
	return append(l.InlineTests(src), l.Silent(src)...)
}

// patchFile counts the executable lines of fc that lie in added, and not in apart.
func patchFile(p *qa.PatchCoverage, fc *qa.FileCoverage, added []qa.Range, apart [][2]int) {
	added = slices.Clone(added)
	slices.SortFunc(added, func(a, b qa.Range) int { return a.Start - b.Start })
	inside := func(line int32) bool {
		_, ok := slices.BinarySearchFunc(added, int(line), func(r qa.Range, line int) int {
			switch {
			case r.End < line:
				return -1
			case r.Start > line:
				return 1
			}
			return 0
		})
		return ok && !slices.ContainsFunc(apart, func(t [2]int) bool { return t[0] <= int(line) && int(line) <= t[1] })
	}
	here := qa.FileCoverage{
		Lines: each.Where(fc.Lines, func(l qa.LineHit) bool { return inside(l.Line) }),
		Arms:  each.Where(fc.Arms, func(a qa.UnitHit) bool { return inside(a.Line) }),
	}
	var missing []int
	for _, l := range here.Lines {
		if l.Hits == 0 {
			missing = append(missing, int(l.Line))
		}
	}
	count := *measured.CountLines(here.Lines)
	p.Files[fc.Path] = count
	p.Lines = p.Lines.Plus(count)
	if len(missing) > 0 {
		p.Missing = append(p.Missing, qa.Missing{Path: fc.Path, Ranges: qa.Ranges(missing)})
	}
	if fc.Branches == nil {
		return
	}
	if p.Branches == nil {
		p.Branches = &qa.Count{}
	}
	*p.Branches = p.Branches.Plus(*measured.CountBranches(&here))
}

// Without is cov less the files that match a glob; see [CheckGlobs].
func Without(cov *qa.Coverage, globs []string) *qa.Coverage {
	if len(globs) == 0 {
		return cov
	}
	rest := *cov
	rest.Files = slices.DeleteFunc(slices.Clone(cov.Files), func(f qa.FileCoverage) bool { return excluded(f.Path, globs) })
	measured.Sum(&rest)
	return &rest
}
