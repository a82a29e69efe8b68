package scout

import (
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// unseen are the changed files that were not shown whole, with the reason.
type unseen map[string]string

// without notes the files that were left out.
func (u unseen) without(asked, left []shownFile, why string) {
	for _, f := range asked {
		if !slices.ContainsFunc(left, func(l shownFile) bool { return l.Path == f.Path && l.Only == f.Only }) {
			u[f.Path] = why
		}
	}
}

// others are the files that were shown and are not among the unseen.
func (u unseen) others(shown []shownFile) []string {
	whole := each.Where(shown, func(f shownFile) bool { return u[f.Path] == "" })
	return each.Added(nil, each.Of(whole, func(f shownFile) string { return f.Path })...)
}

// holds reports whether a line belongs to this piece of the file.
func (f shownFile) holds(line int) bool {
	return f.Only == (qa.Range{}) || f.Only.Contains(line)
}

// pieces shows a file whose excerpt is too long for one request in several, cut
// between lines: how large a file is decides nothing about whether it is looked at.
// A line that is too long to be shown whole is noted.
func (f shownFile) pieces(notes unseen) []shownFile {
	if f.Deleted {
		return f.whole(notes)
	}
	if f.CutsChange() {
		notes[f.Path] = "a changed line is too long to be shown whole"
	}
	rows := f.rows()
	var out []shownFile
	from, size := 1, 0
	cut := func(to int) {
		piece := f
		piece.Only = qa.Range{Start: from, End: to}
		out, from, size = append(out, piece), to+1, 0
	}
	for i, row := range rows {
		if size > 0 && size+len(row) > maxExcerpt {
			cut(i)
		}
		size += len(row)
	}
	if len(out) == 0 {
		return []shownFile{f}
	}
	if size > 0 {
		cut(len(rows))
	}
	return out
}

// whole is a deleted file, its end left out where it is too long for a request.
func (f shownFile) whole(notes unseen) []shownFile {
	if len(f.deleted()) > maxExcerpt {
		f.Before = wording.Bytes(f.Before, maxExcerpt)
		notes[f.Path] = "it was deleted, and is too long to be shown whole"
	}
	return []shownFile{f}
}
