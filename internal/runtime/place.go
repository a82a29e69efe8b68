package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// newPlace makes the directories of a workspace, empty. One of head stands, when it
// can, where every run of the same checkout does; see settleAt.
func newPlace(o Options, u *user, head *place) (place, error) {
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
func scratchDir(o Options, u *user) (string, error) {
	scratch := o.Scratch
	if scratch != "" {
		if err := os.MkdirAll(scratch, 0o755); err != nil {
			return "", fmt.Errorf("make scratch directory: %w", err)
		}
	}
	if scratch == "" || !reachable(scratch, u) {
		scratch = os.TempDir()
	}
	if !reachable(scratch, u) {
		return "", fmt.Errorf("make workspace: %s cannot be entered by uid %d; set TMPDIR to a directory that every user may enter", scratch, u.uid)
	}
	return scratch, nil
}

// hand gives the directories that the code may write to its user.
func (p place) hand(u *user) error {
	for _, dir := range []string{p.user, p.tmp, p.results, p.slashTmp, p.venv, p.packages()} {
		if err := u.own(dir); err != nil {
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
func cacheDir(o Options, u *user) (string, error) {
	dir := o.Cache
	if dir == "" {
		if temp := lookup(o.Env, "RUNNER_TEMP"); temp != "" {
			dir = filepath.Join(temp, "qa-cache")
		}
	}
	if dir == "" || os.MkdirAll(dir, 0o755) != nil || !reachable(dir, u) {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("qa-cache-%d", os.Getuid()))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make cache: %w", err)
	}
	// A directory below the temporary one may have been planted by another.
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !ownedByUs(info) && o.Cache == "" && lookup(o.Env, "RUNNER_TEMP") == "" {
		return "", fmt.Errorf("make cache: %s is not a directory of ours; set RUNNER_TEMP to another place", dir)
	}
	return dir, nil
}

// giveCache hands the cache to the owner of the directory it lies in, so that the
// workflow runner can save and remove it; root made it, and the code's user.
func (p place) giveCache() error {
	owner := ownerOf(filepath.Dir(p.cache))
	if owner == nil {
		return nil
	}
	return ownAll(p.cache, owner)
}

// reachable reports whether u may enter dir. Only the modes for everybody count:
// the user is in no group and owns nothing there.
func reachable(dir string, u *user) bool {
	return u == nil || reachableBelow(string(filepath.Separator), dir)
}

// reachableBelow is reachable for one who already is in top. A directory that
// is not there yet counts as its parent does.
func reachableBelow(top, dir string) bool {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !missing, err == nil && info.Mode().Perm()&0o001 == 0:
			return false
		case dir == top || dir == filepath.Dir(dir):
			return !missing
		}
	}
}

// inTmp reports whether a path lies in /tmp. Where something hidden does, the
// code cannot have /tmp, only its own TMPDIR: a Landlock rule for a directory
// holds for all that is in it.
func inTmp(path string) bool {
	_, ok := within("/tmp", path)
	return ok
}
