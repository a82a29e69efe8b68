package related

import (
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// Remains are the lines of a deleted file that a reader needs: what stands outside of
// functions, the functions whose names others still say, and of the others how they begin,
// for nobody misses these. Of a short file, of one that cannot be read as its language and
// in a repository that was not looked through there are none, and all of it is shown.
func Remains(c *Code, path string, before []byte) (out []qa.Range) {
	lines := strings.Split(strings.TrimSuffix(string(before), "\n"), "\n")
	parsed, err := c.Parse(path, before)
	if err != nil || len(parsed.Functions) == 0 || len(lines) <= wholeFile {
		return nil
	}
	var others strings.Builder
	for _, file := range c.graph().Files() {
		if src, err := c.o.Read(file); err == nil && file != path {
			others.Write(append(src, '\n'))
		}
	}
	if !Whole(c) {
		return nil // who else names it is not known
	}
	said := func(f qa.Function) bool {
		own := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		return len(own) < shortestName || word(own).MatchString(others.String())
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
	return filled(wanted, qa.Range{Start: 1, End: len(lines)})
}
