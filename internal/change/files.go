package change

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// classifyBytes is how much of a file is read to classify it.
const classifyBytes = 16 << 10

// maxCounted is the size above which a file's lines are not counted.
const maxCounted = 16 << 20

var statuses = map[byte]qa.FileStatus{
	'A': qa.Added, 'M': qa.Modified, 'D': qa.Deleted, 'R': qa.Renamed, 'C': qa.Copied, 'T': qa.Modified,
}

// files turns git's records into the project's nouns, sorted by path.
func (v *view) files(ctx context.Context, entries []entry) ([]qa.FileChange, error) {
	out := make([]qa.FileChange, 0, len(entries))
	for _, e := range entries {
		if v.ignored(e.path) {
			continue
		}
		status, ok := statuses[e.status]
		if !ok {
			return nil, fmt.Errorf("git reports %q with unknown state %q", e.path, e.status)
		}
		f := qa.FileChange{
			Path: e.path, OldPath: e.oldPath, Status: status,
			Binary: e.binary, Submodule: e.submodule(), Kind: qa.KindOther,
		}
		if !e.submodule() {
			f.Added, f.Gaps, f.Removed = linesOf(e.hunks)
			v.describe(ctx, &f, e)
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b qa.FileChange) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// describe fills in what the content tells.
func (v *view) describe(ctx context.Context, f *qa.FileChange, e entry) {
	if e.newMode == modeSymlink {
		return // its content is a path, nothing to test
	}
	var head []byte
	if f.Status != qa.Deleted && !f.Binary {
		head = v.content(f.Path, classifyBytes)
	}
	f.Kind, f.Language, f.Generated = Classify(f.Path, head)
	f.Generated = f.Generated && v.wasGenerated(ctx, f.Path, e)
	if isBinary(head, f.Language) {
		// Attributes made git compare it as text.
		f.Binary, f.Added, f.Removed = true, nil, 0
		return
	}
	// git has no lines for a file it did not compare, and only the differing
	// ones for a copy, all of which are new in their place.
	if e.oldID == "" || f.Status == qa.Copied {
		f.Added = nil
		if n := v.countLines(f.Path, head); n > 0 {
			f.Added = []qa.Range{{Start: 1, End: n}}
		}
	}
}

// wasGenerated reports whether a file that looks generated counts as one: by its
// place, or because base's looked so, too. A change that writes the mark itself
// would take its own code out of the review by it. Where everything is looked at
// there is no change.
func (v *view) wasGenerated(ctx context.Context, file string, e entry) bool {
	if v.everything || placedGenerated(file, path.Base(file)) {
		return true
	}
	if e.status == 'A' || e.oldID == "" {
		return false
	}
	base, err := v.git(ctx, "cat-file", "blob", e.oldID)
	return err == nil && looksGenerated(path.Base(file), base[:min(len(base), classifyBytes)])
}

func (v *view) countLines(path string, head []byte) int {
	content := head
	if len(head) == classifyBytes {
		content = v.content(path, maxCounted)
	}
	n := bytes.Count(content, []byte{'\n'})
	if len(content) > 0 && content[len(content)-1] != '\n' {
		n++
	}
	return n
}

func linesOf(hunks []hunk) (added []qa.Range, gaps []int, removed int) {
	for _, h := range hunks {
		removed += h.oldN
		if h.newN == 0 {
			if h.new > 0 {
				gaps = append(gaps, h.new)
			}
			continue
		}
		r := qa.Range{Start: h.new, End: h.new + h.newN - 1}
		if n := len(added); n > 0 && added[n-1].End+1 == r.Start {
			added[n-1].End = r.End
			continue
		}
		added = append(added, r)
	}
	return added, gaps, removed
}
