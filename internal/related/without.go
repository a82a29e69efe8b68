package related

import (
	"bytes"
	"slices"

	"github.com/org/qa-action/internal/source/edit"
)

// without is a file without its tests that have no points, where one has some. What
// stands between tests stays, for helpers are there; a test around or inside of another
// one does, too.
func without(src []byte, all []edit.Test, points []int) (text string, others []string) {
	none := slices.Max(points) == 0
	var out []byte
	from := 0
	for i, t := range all {
		meets := func(o edit.Test) bool { return o.Start != t.Start && o.Start < t.End && t.Start < o.End }
		if none || points[i] > 0 || t.Start < from || slices.ContainsFunc(all, meets) {
			continue
		}
		start, end := paragraph(src, t)
		out, from = append(out, src[from:max(from, start)]...), end
		others = append(others, t.Name)
	}
	if len(others) == 0 {
		return string(src), nil
	}
	return string(bytes.TrimRight(append(out, src[from:]...), " \t\n")), others
}

// paragraph is where a test stands, in whole lines, with the comment right above it and
// the empty lines below.
func paragraph(src []byte, t edit.Test) (start, end int) {
	above := func(at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }
	for start = above(t.Start); start > 0; {
		line := bytes.TrimSpace(src[above(start-1) : start-1])
		if !bytes.HasPrefix(line, []byte("//")) && !bytes.HasPrefix(line, []byte("#")) {
			break
		}
		start = above(start - 1)
	}
	end = t.End + len(src[t.End:]) - len(bytes.TrimLeft(src[t.End:], "; \t\r\n"))
	return start, max(above(end), t.End)
}
