package place

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/user"
)

// Compilers file what they made under the path it was made at. So the home of head
// stands at the same path in every run of a checkout, and base is shown at that path
// to its own commands; see view.

// homeDigits is how long the part of a home's name is that tells it from others. All
// names are of one length, so that one can be written over another in any file.
const homeDigits = 10

// HeadDir is where base's home leads to head's: tree and environment as links on the
// machine, all of it, read-only, where base's commands have mounts of their own.
const HeadDir = "head"

// makeHome makes an empty home that no other run knows.
func makeHome(scratch string) (string, error) {
	home := filepath.Join(scratch, workPrefix+strings.ToLower(rand.Text())[:homeDigits])
	return home, os.Mkdir(home, 0o700)
}

// StableHome is the home that head has in every run of a checkout.
func StableHome(scratch string, o Options) string {
	root := o.Root
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s", os.Geteuid(), root, environ.Lookup(o.Env, "GITHUB_REPOSITORY"), o.Dir))
	return filepath.Join(scratch, workPrefix+hex.EncodeToString(sum[:])[:homeDigits])
}

// settleAt moves a locked home, empty but for its owner file, to where every run of
// the checkout has it. Where that is taken by a run that lives, or by something that
// is not ours, it stays. Nobody sees the new place without its lock: one that can be
// locked was left by a run that was killed, and gives way.
func settleAt(home, stable string) string {
	info, err := os.Lstat(stable)
	if err == nil && (!info.IsDir() || !user.Ours(info) || info.Mode().Perm()&0o022 != 0) {
		return home
	}
	if err == nil {
		release, err := lockOwner(stable)
		if err != nil {
			return home
		}
		defer release()
		// Out of the way first: we may be killed while we remove it.
		aside := filepath.Join(filepath.Dir(stable), workPrefix+strings.ToLower(rand.Text())[:homeDigits])
		if os.Rename(stable, aside) != nil {
			return home
		}
		defer func() { _ = rooted.RemoveAll(aside) }()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return home
	}
	// What stands there by now is not empty, as every home has its owner file.
	if os.Rename(home, stable) != nil {
		return home
	}
	return stable
}

// Remove removes the home, but not one that another run has put in its place.
func (p Place) Remove() error {
	if now, err := os.Lstat(p.Home); err == nil && p.Made != nil && !os.SameFile(p.Made, now) {
		return fmt.Errorf("%s is no longer the directory that was made there", filepath.Base(p.Home))
	}
	return rooted.RemoveAll(p.Home)
}

// InHead is the name that a path of head has below base's own home.
func (p Place) InHead(head Place, path string) string {
	if rel, ok := rooted.Within(head.Home, path); ok {
		return filepath.Join(p.Home, HeadDir, rel)
	}
	return path
}

// lookAt leads from base's home to head's. The way is the same in another container
// that sees both by another name.
func (p Place) lookAt(head Place) error {
	dir := filepath.Join(p.Home, HeadDir)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("make workspace: %w", err)
	}
	for _, to := range []string{head.Tree, head.Venv} {
		if err := clone.LinkRelative(to, filepath.Join(dir, filepath.Base(to))); err != nil {
			return fmt.Errorf("make workspace: %w", err)
		}
	}
	return nil
}
