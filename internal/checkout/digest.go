package checkout

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/rooted"
)

// Commit is the head commit, with a digest of what is not committed.
func (c Checkout) Commit() string { return c.Change.Head + c.edits() }

// edits tells uncommitted states of one commit apart: it is empty for a
// clean working copy, else a digest of the changed files as they are.
func (c Checkout) edits() string {
	if !c.Change.Dirty {
		return ""
	}
	h := sha256.New()
	tree, err := os.OpenRoot(c.Root)
	if err != nil {
		return "+" // of no session
	}
	defer func() { _ = tree.Close() }() // only read
	for _, f := range c.Change.Files {
		fmt.Fprintf(h, "%s\x00%s\x00", f.Path, f.Status)
		if to, err := tree.Readlink(filepath.FromSlash(f.Path)); err == nil {
			fmt.Fprintf(h, "-> %s", to)
			continue
		}
		if file, _, err := rooted.Open(tree, f.Path); err == nil {
			_, err = io.Copy(h, file)
			if err = errors.Join(err, file.Close()); err != nil {
				fmt.Fprintf(h, "unreadable")
			}
		}
	}
	return "+" + hex.EncodeToString(h.Sum(nil)[:6])
}
