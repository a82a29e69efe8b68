package assurance

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// What runs say of a test that fails and names a finding. Nothing is said where the lines
// of the finding are all that changed in its file, or where a version of it fails for a
// reason of its own.
const (
	Shown = "shown" // it passes once the finding's lines are as they were
	Apart = "apart" // other lines make it fail, and the finding's alone do not
)

// beside is how many lines what a claim quotes may stand from lines that are gone.
const beside = 2

// tied tries a test that proves a regression on two versions of the file of the finding
// that it names: head without the finding's lines, and base with these alone. Neither
// stays.
func (t trial) tied(ctx context.Context) (said string, err error) {
	at := t.v.Candidate.At
	if at == nil || t.v.Class != regression || at.Path == t.v.Path {
		return "", nil
	}
	head, err := t.Read(at.Path)
	if err != nil {
		return "", nil //nolint:nilerr // a file that is gone has no lines to take back
	}
	base, err := t.before(t.basePath(at.Path))
	if err != nil {
		return "", err
	}
	without, alone := divided(base, head, at.Lines)
	if without == nil {
		return "", nil
	}
	defer func() { err = errors.Join(err, t.Head.Write(at.Path, head)) }()
	if err := t.Head.Write(at.Path, without); err != nil {
		return "", err
	}
	o, err := t.again(ctx, nil)
	switch {
	case err != nil:
		return "", err
	case o.status == qa.Passed:
		return Shown, nil
	case !o.status.Bad() || o.late || o.why == "" || o.why != t.head.why:
		return "", nil // what was taken back may be needed by what was not
	}
	if err := t.Head.Write(at.Path, alone); err != nil {
		return "", err
	}
	if o, err = t.again(ctx, nil); err == nil && o.status == qa.Passed {
		said = Apart
	}
	return said, err
}

// divided are head without the blocks of the change that are at some lines of it, and
// base with these alone; none where all or no blocks are there.
func divided(base, head []byte, lines qa.Range) (without, alone []byte) {
	before, after := bytes.SplitAfter(base, []byte("\n")), bytes.SplitAfter(head, []byte("\n"))
	all := blocks(before, after)
	mine := each.Where(all, func(b block) bool {
		if b.headFrom == b.headTo { // lines are gone, which a claim can only quote beside
			return lines.Overlaps(qa.Range{Start: max(1, b.headFrom-beside), End: b.headFrom + 1 + beside})
		}
		return lines.Overlaps(qa.Range{Start: b.headFrom + 1, End: b.headTo})
	})
	if len(base) == 0 || len(mine) == 0 || len(mine) == len(all) {
		return nil, nil
	}
	others := each.Where(all, func(b block) bool { return !slices.Contains(mine, b) })
	return taken(before, after, mine), taken(before, after, others)
}

// taken is head with blocks of the change as they were.
func taken(before, after [][]byte, back []block) []byte {
	var out [][]byte
	at := 0
	for _, b := range back {
		out = append(out, after[at:b.headFrom]...)
		out = append(out, before[b.baseFrom:b.baseTo]...)
		at = b.headTo
	}
	return bytes.Join(append(out, after[at:]...), nil)
}
