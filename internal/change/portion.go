package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// portions reads a change whose patch is too large for one command: first the
// list of files, then the patch of a few files at a time.
func (v *view) portions(ctx context.Context, revisions []string) ([]entry, error) {
	entries, _, err := v.records(ctx, revisions, nil)
	if err != nil {
		return nil, err
	}
	wanted := make([]*entry, len(entries))
	for i := range entries {
		wanted[i] = &entries[i]
	}
	if err := v.patch(ctx, revisions, wanted); err != nil {
		return nil, err
	}
	return entries, v.uncover(ctx, entries, revisions)
}

// patch fills in the hunks of some entries; git is called with as many paths
// at a time as fit on a command line, and with half of them where that prints
// too much.
func (v *view) patch(ctx context.Context, revisions []string, wanted []*entry, flags ...string) error {
	const maxArgs = 64 << 10
	for len(wanted) > 0 {
		n, size := 0, 0
		for n < len(wanted) && (n == 0 || size < maxArgs) {
			size += len(wanted[n].path) + len(wanted[n].oldPath) + 2
			n++
		}
		if err := v.patchOnce(ctx, revisions, wanted[:n], flags); err != nil {
			return err
		}
		wanted = wanted[n:]
	}
	return nil
}

func (v *view) patchOnce(ctx context.Context, revisions []string, wanted []*entry, flags []string) error {
	var paths []string
	byPath := map[string]*entry{}
	for _, e := range wanted {
		byPath[e.path] = e
		paths = append(paths, e.path)
		if e.oldPath != "" {
			paths = append(paths, e.oldPath)
		}
	}
	got, err := v.hunks(ctx, slices.Concat(flags, revisions), paths)
	if errors.Is(err, errTooMuch) && len(wanted) > 1 {
		half := len(wanted) / 2
		if err := v.patchOnce(ctx, revisions, wanted[:half], flags); err != nil {
			return err
		}
		return v.patchOnce(ctx, revisions, wanted[half:], flags)
	}
	if err != nil {
		return err
	}
	for _, g := range got {
		e := byPath[g.path]
		if e == nil {
			continue // the origin of a copy, looked at in its own turn
		}
		if e.status != g.status {
			return fmt.Errorf("git shows %q as %c alone and as %c among all files", e.path, g.status, e.status)
		}
		e.hunks, e.binary = g.hunks, g.binary
	}
	return nil
}

// uncover looks again at files that git called binary although they hold text.
// Attributes of the change itself can say so ("*.go -diff"), which would hide
// every line of it.
func (v *view) uncover(ctx context.Context, entries []entry, revisions []string) error {
	var hidden []*entry
	for i := range entries {
		e := &entries[i]
		if !e.binary || e.submodule() {
			continue
		}
		text, err := v.isText(ctx, e)
		if err != nil {
			return err
		}
		if text {
			hidden = append(hidden, e)
		}
	}
	if err := v.patch(ctx, revisions, hidden, "--text"); err != nil {
		return fmt.Errorf("look at files that attributes call binary: %w", err)
	}
	return nil
}

// isText decides by content on both sides, as git does without attributes.
func (v *view) isText(ctx context.Context, e *entry) (bool, error) {
	_, language, _ := Classify(e.path, nil)
	if e.status != 'A' {
		if text, err := v.isTextBlob(ctx, e.oldID, language); !text || err != nil {
			return false, err
		}
	}
	switch {
	case e.status == 'D':
		return true, nil
	case v.root == nil: // commits are compared
		return v.isTextBlob(ctx, e.newID, language)
	}
	info, err := v.root.Lstat(e.path)
	return err == nil && info.Size() < bigFile && !isBinary(v.content(e.path, 8000), language), nil
}

// bigFile is core.bigFileThreshold.
const bigFile = 16 << 20

func (v *view) isTextBlob(ctx context.Context, id, language string) (bool, error) {
	size, err := v.line(ctx, "cat-file", "-s", id)
	if err != nil {
		return false, err
	}
	if n, err := strconv.ParseInt(size, 10, 64); err != nil || n >= bigFile {
		return false, err
	}
	content, err := v.git(ctx, "cat-file", "blob", id)
	return err == nil && !isBinary(content, language), err
}
