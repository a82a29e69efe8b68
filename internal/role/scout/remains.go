package scout

import (
	"bytes"
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
	if err != nil || len(parsed.Functions) == 0 || len(lines) <= shortFile {
		return nil
	}
	in, ok := s.mentions(path, each.Of(parsed.Functions, own))
	if !ok {
		return nil
	}
	said := func(f qa.Function) bool { return len(own(f)) < shortestName || len(in[own(f)]) > 0 }
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

// mentions are the source files, but for one, that say each of some names; ok is false
// where not all of the repository was looked through.
func (s Scout) mentions(but string, names []string) (in map[string][]string, ok bool) {
	in = map[string][]string{}
	for _, file := range s.Code.Graph().Files() {
		src, err := s.Read(file)
		if err != nil || file == but || !slices.ContainsFunc(names, func(n string) bool { return bytes.Contains(src, []byte(n)) }) {
			continue
		}
		said := each.Set(wording.Names(string(src)))
		for _, name := range names {
			if said[name] {
				in[name] = each.Added(in[name], file)
			}
		}
	}
	return in, related.Whole(s.Code)
}

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
	if len(names) == 0 {
		return ""
	}
	in, ok := s.mentions(f.Path, names)
	if !ok {
		return ""
	}
	var out []string
	if gone := each.Where(names, func(n string) bool { return len(in[n]) == 0 }); len(gone) > 0 {
		out = append(out, "no other source file says "+strings.Join(gone, ", "))
	}
	for _, name := range names {
		if files := in[name]; len(files) > 0 {
			out = append(out, name+" is said in "+wording.Some(files, mostSayers))
		}
	}
	return strings.Join(out, "\n")
}
