package change

import (
	"context"
	"fmt"
	"slices"
)

// Mapping follows paths and line numbers from one commit (base) to another (head).
// Files it does not know are the same on both sides.
type Mapping struct {
	byBase, byHead map[string]*lineMap
}

type lineMap struct {
	basePath, headPath string
	hunks              []hunk
	opaque             bool // binary: no line can be followed
}

// MapLines compares two commits, which must both be in the clone or be
// fetchable (see [Options.Fetch]).
func MapLines(ctx context.Context, opts Options, base, head string) (Mapping, error) {
	r, err := openRepo(ctx, opts.Dir)
	if err != nil {
		return Mapping{}, err
	}
	for _, commit := range []string{base, head} {
		if !isCommit(commit) {
			return Mapping{}, fmt.Errorf("map lines: %q is not a full commit id", commit)
		}
		if err := r.need(ctx, opts, commit); err != nil {
			return Mapping{}, fmt.Errorf("map lines: %w", err)
		}
	}
	commits := view{repo: r} // no working tree takes part
	entries, err := commits.diff(ctx, base, head)
	if err != nil {
		return Mapping{}, fmt.Errorf("map lines: %w", err)
	}
	return newMapping(entries), nil
}

func newMapping(entries []entry) Mapping {
	m := Mapping{byBase: map[string]*lineMap{}, byHead: map[string]*lineMap{}}
	for _, e := range entries {
		l := &lineMap{basePath: e.path, headPath: e.path, hunks: e.hunks, opaque: e.binary || e.submodule()}
		switch e.status {
		case 'A':
			l.basePath = ""
		case 'D':
			l.headPath = ""
		case 'R', 'C':
			l.basePath = e.oldPath
		}
		if l.headPath != "" {
			m.byHead[l.headPath] = l
		}
		// A copy leaves its origin where it was: only the origin's own entry
		// leads forward.
		if l.basePath != "" && e.status != 'C' {
			m.byBase[l.basePath] = l
		}
	}
	return m
}

// ToHead follows a line of base to head; ok is false when the line is gone.
func (m Mapping) ToHead(path string, line int) (headPath string, headLine int, ok bool) {
	l, known := m.byBase[path]
	if !known {
		if l := m.byHead[path]; l != nil && l.basePath != path {
			return "", 0, false // head has another file under this name
		}
		return path, line, true
	}
	if l.headPath == "" || l.opaque {
		return "", 0, false
	}
	n, ok := shift(l.hunks, line)
	return l.headPath, n, ok
}

// shift moves a line from the old side of the hunks to the new one.
func shift(hunks []hunk, line int) (int, bool) {
	if line < 1 {
		return 0, false
	}
	// Hunks are sorted: i is the first that is not wholly in front of line.
	i, _ := slices.BinarySearchFunc(hunks, line, func(h hunk, line int) int {
		if end(h.old, h.oldN) < line {
			return -1
		}
		return 1
	})
	if i < len(hunks) && hunks[i].oldN > 0 && hunks[i].old <= line {
		return 0, false
	}
	if i > 0 {
		h := hunks[i-1]
		line += end(h.new, h.newN) - end(h.old, h.oldN)
	}
	return line, true
}

// end is the last line a hunk takes up; an empty side stands after the line
// its position names.
func end(at, n int) int {
	if n == 0 {
		return at
	}
	return at + n - 1
}
