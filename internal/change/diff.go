package change

import (
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/qa"
)

// maxDiff bounds a diff given from outside.
const maxDiff = 256 << 20

// FromDiff reads a unified diff as git, GitHub or "diff -u" print it, with any
// number of context lines. Files come sorted by path. Errors name the line of the diff that cannot be read.
func FromDiff(r io.Reader) ([]qa.FileChange, error) {
	entries, err := readDiff(r)
	if err != nil {
		return nil, err
	}
	out := make([]qa.FileChange, 0, len(entries))
	for _, e := range entries {
		f := qa.FileChange{
			Path: e.path, OldPath: e.oldPath, Status: statuses[e.status],
			Binary: e.binary, Submodule: e.submodule(), Kind: qa.KindOther,
		}
		if !f.Submodule {
			f.Added, f.Gaps, f.Removed = linesOf(e.hunks)
			if e.newMode != modeSymlink {
				f.Kind, f.Language, f.Generated = Classify(f.Path, nil)
			}
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b qa.FileChange) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func readDiff(r io.Reader) ([]entry, error) {
	limited := &io.LimitedReader{R: r, N: maxDiff + 1}
	files, _, err := gitdiff.Parse(limited)
	if limited.N <= 0 {
		return nil, fmt.Errorf("read diff: larger than %d MB", maxDiff>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("read diff: %w", err)
	}
	entries := make([]entry, 0, len(files))
	seen := map[string]int{}
	for _, f := range files {
		e, err := fromGitdiff(f)
		if err != nil {
			return nil, err
		}
		// A type change is printed as a deletion and an addition of one path.
		if i, ok := seen[e.path]; ok && entries[i].status == 'D' && e.status == 'A' {
			entries[i].status, entries[i].newMode = 'T', e.newMode
			entries[i].hunks = append(entries[i].hunks, e.hunks...)
			continue
		} else if ok {
			return nil, fmt.Errorf("read diff: %q occurs twice", e.path)
		}
		seen[e.path] = len(entries)
		entries = append(entries, e)
	}
	return entries, nil
}

func fromGitdiff(f *gitdiff.File) (entry, error) {
	e := entry{path: f.NewName, binary: f.IsBinary, status: 'M', oldMode: gitMode(f.OldMode), newMode: gitMode(f.NewMode)}
	if e.newMode == "" && !f.IsDelete {
		e.newMode = e.oldMode // the index line names the mode once when it stays
	}
	switch {
	case f.IsNew:
		e.status = 'A'
	case f.IsDelete:
		e.status, e.path = 'D', f.OldName
	case f.IsCopy:
		e.status, e.oldPath = 'C', f.OldName
	case f.IsRename, f.OldName != f.NewName && f.OldName != "" && f.NewName != "":
		e.status, e.oldPath = 'R', f.OldName
	}
	for _, p := range []string{e.path, e.oldPath} {
		if p != "" && !inside(p) {
			return entry{}, fmt.Errorf("read diff: %q is not a path inside the repository", p)
		}
	}
	if e.path == "" {
		return entry{}, fmt.Errorf("read diff: a file has no name")
	}
	var after int64
	for _, fragment := range f.TextFragments {
		if fragment.OldLines > 0 && fragment.OldPosition < 1 || fragment.NewLines > 0 && fragment.NewPosition <= after {
			return entry{}, fmt.Errorf("read diff: a hunk of %q begins at line %d, behind line %d was expected", e.path, fragment.NewPosition, after)
		}
		after = max(after, fragment.NewPosition+fragment.NewLines-1)
		e.hunks = append(e.hunks, hunksOf(fragment)...)
	}
	return e, nil
}

func inside(p string) bool {
	return !strings.HasPrefix(p, "/") && path.Clean(p) != ".." && !strings.HasPrefix(path.Clean(p), "../")
}

func gitMode(m os.FileMode) string {
	if m == 0 {
		return ""
	}
	return fmt.Sprintf("%06o", uint32(m))
}

// hunksOf cuts a fragment with context lines into hunks without.
func hunksOf(f *gitdiff.TextFragment) []hunk {
	var out []hunk
	// An empty side is written as the line before it.
	oldLine, newLine := int(f.OldPosition), int(f.NewPosition)
	if f.OldLines == 0 {
		oldLine++
	}
	if f.NewLines == 0 {
		newLine++
	}
	var open bool
	for _, l := range f.Lines {
		if l.Op == gitdiff.OpContext {
			open = false
			oldLine++
			newLine++
			continue
		}
		if !open {
			out = append(out, hunk{old: oldLine, new: newLine})
			open = true
		}
		h := &out[len(out)-1]
		if l.Op == gitdiff.OpDelete {
			h.oldN++
			oldLine++
		} else {
			h.newN++
			newLine++
		}
	}
	for i := range out {
		if out[i].oldN == 0 {
			out[i].old--
		}
		if out[i].newN == 0 {
			out[i].new--
		}
	}
	return out
}
