package change

import (
	"context"
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/qa"
)

// Listed is a file of a pull request as the forge lists it.
type Listed struct {
	Path, OldPath string
	Status        string // added, removed, modified, renamed, copied, changed, unchanged
	Patch         string // hunks with context; empty for binary and very large files
	Lines         int    // lines added and removed
}

// listedAs are git's letters for the forge's words.
var listedAs = map[string]byte{"added": 'A', "removed": 'D', "modified": 'M', "changed": 'M', "renamed": 'R', "copied": 'C'}

// fromList is the change as the forge lists it, for a clone that has no base to
// compare with and cannot get it. missing says what the clone lacks.
func (r *repo) fromList(ctx context.Context, opts Options, found qa.Change, missing error) (qa.Change, error) {
	listed, total, err := opts.List(ctx)
	if err != nil {
		return qa.Change{}, fmt.Errorf("%w; the code host was asked for the files instead: %w", missing, err)
	}
	e := opts.Event
	if found.Head == e.CheckedOut && isCommit(e.HeadSHA) && e.HeadSHA != found.Head {
		found.Head, found.Measured = e.HeadSHA, found.Head
	}
	found.Base, found.BaseRef = e.BaseSHA, e.BaseRef
	found.Notes = append(found.Notes, "the files of the change are those that the code host lists, because git could not compare: "+missing.Error())
	if total > len(listed) {
		found.Notes = append(found.Notes, fmt.Sprintf("the code host lists %d of the %d changed files; the other %d were not looked at", len(listed), total, total-len(listed)))
	}
	view, err := r.workingView(ctx, opts.Ignore)
	if err != nil {
		return qa.Change{}, err
	}
	defer view.close()
	var entries []entry
	for _, l := range listed {
		if l.Status == "unchanged" {
			continue
		}
		one, err := view.listed(l)
		if err != nil {
			return qa.Change{}, err
		}
		entries = append(entries, one)
	}
	found.Files, err = view.files(ctx, entries)
	return found, err
}

// listed makes git's record of a file. Lines of the list are lines of the pull
// request's head; where the file that is checked out has other text there (a
// test merge), or the forge left the patch out, the whole file counts as
// changed.
func (v *view) listed(l Listed) (entry, error) {
	e := entry{status: listedAs[l.Status], path: l.Path, oldPath: l.OldPath, oldID: "listed", newMode: "100644"}
	if e.status == 0 {
		return e, fmt.Errorf("the code host lists %q with unknown state %q", l.Path, l.Status)
	}
	for _, p := range []string{e.path, e.oldPath} {
		if e.path == "" || !inside(p) || strings.ContainsAny(p, "\x00\n") {
			return e, fmt.Errorf("the code host lists %q, which is not a path inside the repository", p)
		}
	}
	if e.status != 'R' && e.status != 'C' {
		e.oldPath = ""
	}
	files, _, err := gitdiff.Parse(strings.NewReader("--- a/x\n+++ b/x\n" + strings.TrimSuffix(l.Patch, "\n") + "\n"))
	var fragments []*gitdiff.TextFragment
	if l.Patch != "" && err == nil && len(files) == 1 {
		fragments = files[0].TextFragments
	}
	for _, f := range fragments {
		e.hunks = append(e.hunks, hunksOf(f)...)
	}
	if e.status == 'D' {
		return e, nil
	}
	e.binary = l.Patch == "" && l.Lines == 0 && e.status != 'R' && e.status != 'C'
	if l.Lines > 0 && (len(fragments) == 0 || !matches(fragments, string(v.content(l.Path, maxCounted)))) {
		e.oldID, e.hunks = "", nil
	}
	return e, nil
}

// matches reports whether a file has the lines that a patch leaves behind.
func matches(fragments []*gitdiff.TextFragment, content string) bool {
	lines := strings.SplitAfter(content, "\n")
	for _, f := range fragments {
		at := int(f.NewPosition) - 1
		for _, l := range f.Lines {
			if l.Op == gitdiff.OpDelete {
				continue
			}
			if at < 0 || at >= len(lines) || strings.TrimSuffix(lines[at], "\n") != strings.TrimSuffix(l.Line, "\n") {
				return false
			}
			at++
		}
	}
	return true
}
