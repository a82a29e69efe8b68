package qa

import (
	"slices"

	"github.com/org/qa-action/internal/each"
)

// Kind is what a file is for, decided by its path and the rules of its language.
type Kind string

// The kinds of files. Generated, vendored and minified files keep their kind
// and are marked by [FileChange.Generated].
const (
	KindSource Kind = "source"
	KindTest   Kind = "test"
	KindConfig Kind = "config"
	KindStyle  Kind = "style"
	KindDocs   Kind = "docs"
	KindOther  Kind = "other"
)

// FileStatus is what happened to a file between base and head.
type FileStatus string

// The file statuses, in git's words.
const (
	Added    FileStatus = "added"
	Modified FileStatus = "modified"
	Deleted  FileStatus = "deleted"
	Renamed  FileStatus = "renamed"
	Copied   FileStatus = "copied"
)

// FileChange is one file of a change.
type FileChange struct {
	Path    string     `json:"path"`
	OldPath string     `json:"old_path,omitempty"` // set for renamed and copied
	Status  FileStatus `json:"status"`
	Kind    Kind       `json:"kind"`
	// Language is go, javascript, typescript, python or another lower-case
	// name; empty where no language is known. JSX and TSX count as their base.
	Language  string  `json:"language,omitempty"`
	Binary    bool    `json:"binary,omitempty"`
	Submodule bool    `json:"submodule,omitempty"`
	Generated bool    `json:"generated,omitempty"` // generated, vendored or minified
	Added     []Range `json:"added,omitempty"`     // head lines that the change wrote
	Removed   int     `json:"removed,omitempty"`   // number of base lines taken away
	// Gaps are the head lines after which base lines were taken away and
	// nothing was put in their place.
	Gaps []int `json:"gaps,omitempty"`
}

// AddedLines is the number of lines the change wrote in this file.
func (f FileChange) AddedLines() int {
	n := 0
	for _, r := range f.Added {
		n += r.Len()
	}
	return n
}

// Touches reports whether the change wrote a line in r.
func (f FileChange) Touches(r Range) bool {
	return slices.ContainsFunc(f.Added, func(a Range) bool { return a.Overlaps(r) })
}

// Alters reports whether the change wrote a line in r or took one away from
// within it.
func (f FileChange) Alters(r Range) bool {
	return f.Touches(r) || slices.ContainsFunc(f.Gaps, func(gap int) bool { return r.Start <= gap && gap < r.End })
}

// BasePath is the file's path on the base side.
func (f FileChange) BasePath() string {
	if f.OldPath != "" {
		return f.OldPath
	}
	return f.Path
}

// Change is what a pull request (or a working copy) touched.
type Change struct {
	// Base is the commit compared against (the merge base), Head the commit
	// looked at. Base is empty when nothing precedes Head. Dirty says that
	// uncommitted edits on top of Head are included.
	Base string `json:"base"`
	Head string `json:"head"`
	// Measured is the commit that is checked out, when it is not Head: the test
	// merge of a pull request. Lines of Files are lines of Measured.
	Measured string `json:"measured,omitempty"`
	BaseRef  string `json:"base_ref,omitempty"` // what the user or event called it
	HeadRef  string `json:"head_ref,omitempty"`
	Dirty    bool   `json:"dirty,omitempty"`
	// All is set for scope "all": every tracked file is listed as added.
	All   bool         `json:"all,omitempty"`
	Files []FileChange `json:"files"`
	// Title and Body are the pull request's text: hostile data.
	Title  string `json:"title,omitempty"`
	Body   string `json:"body,omitempty"`
	Number int    `json:"number,omitempty"` // pull request number, 0 when none
	// Notes are what must be known of how the change was found out.
	Notes []string `json:"notes,omitempty"`
}

// OnDefault reports whether it is the default branch itself that is looked at. Where
// nobody tells its name, it has one of the two that most have.
func (c Change) OnDefault(named string) bool {
	names := []string{named}
	if named == "" {
		names = []string{"main", "master"}
	}
	return c.Number == 0 && slices.Contains(names, c.HeadRef)
}

// Of lists the changed files of one kind that still exist on head.
func (c Change) Of(kind Kind) []FileChange {
	return each.Where(c.Files, func(f FileChange) bool { return f.Kind == kind && f.Status != Deleted && !f.Generated })
}

// File looks a changed file up by its head path.
func (c Change) File(path string) (FileChange, bool) {
	return each.First(c.Files, func(f FileChange) bool { return f.Path == path })
}
