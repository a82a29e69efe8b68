// Package place makes the directories in which a workspace keeps its files, finds
// those that outlive it, and removes what killed runs left.
package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/user"
)

// Options say where workspaces stand.
type Options struct {
	Root, Dir string // the checkout, and the directory in it that is worked in
	// Scratch is where workspaces are made, Cache what outlives the run; empty is a
	// directory of the workflow runner's or of the machine's for temporary files.
	Scratch, Cache string
	Env            []string // ours
}

// New makes the directories of a workspace, empty. One of head stands, when it
// can, where every run of the same checkout does; see settleAt.
func New(o Options, u *user.User, head *Place) (Place, error) {
	scratch, err := scratchDir(o, u)
	if err != nil {
		return Place{}, err
	}
	if head != nil {
		scratch = filepath.Dir(head.Home)
	}
	sweep(scratch, time.Now())
	home, err := makeHome(scratch)
	if err != nil {
		return Place{}, fmt.Errorf("make workspace: %w", err)
	}
	release, err := lockOwner(home)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return Place{}, errors.Join(fmt.Errorf("make workspace: %w", err), os.RemoveAll(home))
	}
	stable := StableHome(scratch, o)
	if head == nil && err == nil {
		home = settleAt(home, stable)
	}
	p := placeAt(home)
	p.Release, p.Stable = release, home == stable
	// Others may pass through, not look around; the tree itself is below.
	if err := os.Chmod(home, 0o711); err != nil {
		return Place{}, fmt.Errorf("make workspace: %w", err)
	}
	for _, dir := range []string{p.Tree, p.user, p.Tmp, p.Results, p.SlashTmp, p.Venv, p.Packages()} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return Place{}, fmt.Errorf("make workspace: %w", err)
		}
	}
	if head != nil {
		if err := p.lookAt(*head); err != nil {
			return Place{}, errors.Join(err, os.RemoveAll(home))
		}
	}
	if p.Cache, err = cacheDir(o, u); err != nil {
		return Place{}, errors.Join(err, os.RemoveAll(home))
	}
	if p.Made, err = os.Lstat(home); err != nil {
		return Place{}, fmt.Errorf("make workspace: %w", err)
	}
	return p, nil
}

// placeAt names the directories of a workspace.
func placeAt(home string) Place {
	return Place{Home: home, Tree: filepath.Join(home, "tree"), user: filepath.Join(home, "home"),
		Tmp: filepath.Join(home, "tmp"), Results: filepath.Join(home, "results"), SlashTmp: filepath.Join(home, "slash-tmp"), Venv: filepath.Join(home, "venv")}
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

// Hand gives the directories that the code may write to its user.
func (p Place) Hand(u *user.User) error {
	for _, dir := range []string{p.user, p.Tmp, p.Results, p.SlashTmp, p.Venv, p.Packages()} {
		if err := u.Own(dir); err != nil {
			return err
		}
	}
	return nil
}

// UserHome is the home directory of commands.
func (p Place) UserHome() string { return p.user }

// Writable lists where the code may write.
func (p Place) Writable() []string {
	return []string{p.Tree, p.user, p.Tmp, p.Results, p.Venv, p.Packages()}
}

// Packages has the caches that the code's compilers and package managers write to;
// they die with the workspace.
func (p Place) Packages() string { return filepath.Join(p.Home, "packages") }

// Layers has what those caches start from, which the code can only read.
func (p Place) Layers() string { return filepath.Join(p.Cache, "layers") }

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

// GiveCache hands the cache to the owner of the directory it lies in, so that the
// workflow runner can save and remove it; root made it, and the code's user.
func (p Place) GiveCache() error {
	owner := user.OwnerOf(filepath.Dir(p.Cache))
	if owner == nil {
		return nil
	}
	return user.OwnAll(p.Cache, owner)
}

// InTmp reports whether a path lies in /tmp. Where something hidden does, the
// code cannot have /tmp, only its own TMPDIR: a Landlock rule for a directory
// holds for all that is in it.
func InTmp(path string) bool {
	_, ok := rooted.Within("/tmp", path)
	return ok
}

// Place is where a workspace keeps its files; all absolute.
type Place struct {
	Home    string // everything below is ours to remove
	Tree    string // the copy
	user    string // HOME of the code
	Tmp     string // TMPDIR of the code
	Results string // report files of the code
	// SlashTmp is shown as /tmp where the code has its own mounts.
	SlashTmp string
	// Venv is a virtual environment that we made.
	Venv  string
	Cache string
	Made  fs.FileInfo // the home, by which it is known again
	// Stable says that every run of the checkout has this home.
	Stable bool
	// Release says that the workspace is nobody's any more.
	Release func()
}

// Installed has the installations that were kept for later runs.
func (p Place) Installed() string { return filepath.Join(p.Cache, "installed") }
