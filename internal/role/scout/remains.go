package scout

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/wording"
)

// What is told of names that a change took away.
const (
	shortFile    = 40 // lines of a deleted file that is shown whole
	shortestName = 3  // of a function that is found by its name alone
	mostLost     = 12 // functions
	mostSayers   = 5  // files for each
)

// remains are the lines of a deleted file that a reader needs: what stands outside of
// functions, the functions whose names others still say, and of the others how they begin,
// for nobody misses these. Of a short file, of one that cannot be read as its language and
// in a repository that was not looked through there are none, and all of it is shown.
func (s Scout) remains(path, before string) []qa.Range {
	lines := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	parsed, err := s.Code.Parse(path, []byte(before))
	if err != nil || len(parsed.Functions) == 0 || len(lines) <= shortFile || !related.Whole(s.Code) {
		return nil
	}
	said := func(f qa.Function) bool {
		files, _ := related.Sayers(s.Code, own(f), path)
		return len(own(f)) < shortestName || len(files) > 0
	}
	left := map[int]bool{}
	for _, named := range []bool{false, true} { // one may stand within another
		for _, f := range each.Where(parsed.Functions, func(f qa.Function) bool { return said(f) == named }) {
			for n := f.Lines.Start; n <= f.Lines.End; n++ {
				left[n] = !named && n > f.Lines.Start
			}
		}
	}
	wanted := map[int]bool{}
	for n := range lines {
		wanted[n+1] = !left[n+1]
	}
	return related.Filled(wanted, qa.Range{Start: 1, End: len(lines)})
}

// own is the name of a function without that of its class.
func own(f qa.Function) string { return f.Name[strings.LastIndexByte(f.Name, '.')+1:] }

// lost says which functions of a file the change took away, and which other source files
// still say their names: who misses them is what a reader asks first. It is empty where
// that is not known.
func (s Scout) lost(f related.Side) string {
	before, err := s.Code.Parse(f.Path, []byte(f.Before))
	now, err2 := s.Code.Parse(f.Path, []byte(f.Source))
	if err != nil || err2 != nil {
		return ""
	}
	left := each.Set(each.Of(now.Functions, own))
	var names []string
	for _, fn := range before.Functions {
		if name := own(fn); !left[name] && !fn.Test && len(name) >= shortestName && len(names) < mostLost {
			names = each.Added(names, name)
		}
	}
	var gone, out []string
	for _, name := range names {
		switch files, known := related.Sayers(s.Code, name, f.Path); {
		case !known:
			return ""
		case len(files) == 0:
			gone = append(gone, name)
		default:
			out = append(out, name+" is said in "+wording.Some(files, mostSayers))
		}
	}
	if len(gone) > 0 {
		out = slices.Insert(out, 0, "no other source file says "+strings.Join(gone, ", "))
	}
	return strings.Join(out, "\n")
}
