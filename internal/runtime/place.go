package runtime

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/user"
)

// newPlace makes the directories of a workspace, empty. One of head stands, when it
// can, where every run of the same checkout does; see settleAt.
func newPlace(o Options, u *user.User, head *place) (place, error) {
	scratch, err := scratchDir(o, u)
	if err != nil {
		return place{}, err
	}
	if head != nil {
		scratch = filepath.Dir(head.home)
	}
	sweep(scratch, time.Now())
	home, err := makeHome(scratch)
	if err != nil {
		return place{}, fmt.Errorf("make workspace: %w", err)
	}
	release, err := lockOwner(home)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return place{}, errors.Join(fmt.Errorf("make workspace: %w", err), os.RemoveAll(home))
	}
	stable := stableHome(scratch, o)
	if head == nil && err == nil {
		home = settleAt(home, stable)
	}
	p := placeAt(home)
	p.release, p.stable = release, home == stable
	// Others may pass through, not look around; the tree itself is below.
	if err := os.Chmod(home, 0o711); err != nil {
		return place{}, fmt.Errorf("make workspace: %w", err)
	}
	for _, dir := range []string{p.tree, p.user, p.tmp, p.results, p.slashTmp, p.venv, p.packages()} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return place{}, fmt.Errorf("make workspace: %w", err)
		}
	}
	if head != nil {
		if err := p.lookAt(*head); err != nil {
			return place{}, errors.Join(err, os.RemoveAll(home))
		}
	}
	if p.cache, err = cacheDir(o, u); err != nil {
		return place{}, errors.Join(err, os.RemoveAll(home))
	}
	if p.made, err = os.Lstat(home); err != nil {
		return place{}, fmt.Errorf("make workspace: %w", err)
	}
	return p, nil
}

// placeAt names the directories of a workspace.
func placeAt(home string) place {
	return place{home: home, tree: filepath.Join(home, "tree"), user: filepath.Join(home, "home"),
		tmp: filepath.Join(home, "tmp"), results: filepath.Join(home, "results"), slashTmp: filepath.Join(home, "slash-tmp"), venv: filepath.Join(home, "venv")}
}

// scratchDir is where workspaces are made.
func scratchDir(o Options, u *user.User) (string, error) {
	scratch := o.Scratch
	if scratch != "" {
		if err := os.MkdirAll(scratch, 0o755); err != nil {
			return "", fmt.Errorf("make scratch directory: %w", err)
		}
	}
	if scratch == "" || !user.Reachable(scratch, u) {
		scratch = os.TempDir()
	}
	if !user.Reachable(scratch, u) {
		return "", fmt.Errorf("make workspace: %s cannot be entered by uid %d; set TMPDIR to a directory that every user may enter", scratch, u.UID)
	}
	return scratch, nil
}

// hand gives the directories that the code may write to its user.
func (p place) hand(u *user.User) error {
	for _, dir := range []string{p.user, p.tmp, p.results, p.slashTmp, p.venv, p.packages()} {
		if err := u.Own(dir); err != nil {
			return err
		}
	}
	return nil
}

// writable lists where the code may write.
func (p place) writable() []string {
	return []string{p.tree, p.user, p.tmp, p.results, p.venv, p.packages()}
}

// packages has the caches that the code's compilers and package managers write to;
// they die with the workspace.
func (p place) packages() string { return filepath.Join(p.home, "packages") }

// layers has what those caches start from, which the code can only read.
func (p place) layers() string { return filepath.Join(p.cache, "layers") }

// cacheDir finds the directory that outlives the run. The code can read it and
// not write to it.
func cacheDir(o Options, u *user.User) (string, error) {
	dir := o.Cache
	if dir == "" {
		if temp := environ.Lookup(o.Env, "RUNNER_TEMP"); temp != "" {
			dir = filepath.Join(temp, "qa-cache")
		}
	}
	if dir == "" || os.MkdirAll(dir, 0o755) != nil || !user.Reachable(dir, u) {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("qa-cache-%d", os.Getuid()))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make cache: %w", err)
	}
	// A directory below the temporary one may have been planted by another.
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !user.Ours(info) && o.Cache == "" && environ.Lookup(o.Env, "RUNNER_TEMP") == "" {
		return "", fmt.Errorf("make cache: %s is not a directory of ours; set RUNNER_TEMP to another place", dir)
	}
	return dir, nil
}

// giveCache hands the cache to the owner of the directory it lies in, so that the
// workflow runner can save and remove it; root made it, and the code's user.
func (p place) giveCache() error {
	owner := user.OwnerOf(filepath.Dir(p.cache))
	if owner == nil {
		return nil
	}
	return user.OwnAll(p.cache, owner)
}

// inTmp reports whether a path lies in /tmp. Where something hidden does, the
// code cannot have /tmp, only its own TMPDIR: a Landlock rule for a directory
// holds for all that is in it.
func inTmp(path string) bool {
	_, ok := rooted.Within("/tmp", path)
	return ok
}
