package toolchain

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
)

// FitsNode reports whether the node_modules of a directory are those of its
// lockfile, as far as the stamp of the package manager that made them tells.
// Unknown does not fit.
func FitsNode(dir, manager string) bool {
	modules := filepath.Join(dir, "node_modules")
	switch manager {
	case "npm":
		lock := filepath.Join(dir, "package-lock.json")
		if _, err := fs.Stat(rooted.FS(dir), "npm-shrinkwrap.json"); err == nil {
			lock = filepath.Join(dir, "npm-shrinkwrap.json") // npm prefers it
		}
		return sameNPMLock(lock, filepath.Join(modules, ".package-lock.json")) && npmInstalled(dir, lock)
	case "pnpm":
		lock, err := readLock(filepath.Join(dir, "pnpm-lock.yaml"))
		stamp, stampErr := readLock(filepath.Join(modules, ".pnpm", "lock.yaml"))
		return err == nil && stampErr == nil && string(lock) == string(stamp)
	case "yarn":
		return sameYarnLock(filepath.Join(dir, "yarn.lock"), filepath.Join(modules, ".yarn-integrity"))
	}
	return false
}

type npmLock struct {
	Packages map[string]npmLocked `json:"packages"`
}

type npmLocked struct {
	Version   string `json:"version"`
	Integrity string `json:"integrity"`
	Optional  bool   `json:"optional"`
	Dev       bool   `json:"devOptional"`
	Link      bool   `json:"link"`
	Resolved  string `json:"resolved"`
}

// sameNPMLock compares package-lock.json with the copy that npm leaves in
// node_modules. The copy lacks the root, workspaces and optional packages of
// other platforms.
func sameNPMLock(lockFile, stampFile string) bool {
	lock, ok := readNPMLock(lockFile)
	stamp, stamped := readNPMLock(stampFile)
	if !ok || !stamped {
		return false
	}
	for path, want := range lock.Packages {
		got, there := stamp.Packages[path]
		switch {
		case !strings.Contains(path, "node_modules/"), !there && (want.Optional || want.Dev):
			continue
		case got.Version != want.Version || got.Integrity != want.Integrity || got.Link != want.Link || want.Link && got.Resolved != want.Resolved:
			return false
		}
	}
	for path := range stamp.Packages {
		if _, ok := lock.Packages[path]; !ok {
			return false
		}
	}
	return true
}

// npmInstalled looks at the packages themselves: npm writes its copy of the lock
// file anew when it changes nothing but the lock file (--package-lock-only).
func npmInstalled(dir, lockFile string) bool {
	lock, ok := readNPMLock(lockFile)
	if !ok {
		return false
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer func() { _ = root.Close() }()
	for path, want := range lock.Packages {
		if !strings.Contains(path, "node_modules/") || want.Link || want.Version == "" {
			continue
		}
		data, err := rooted.Read(root, path+"/package.json", MaxManifest)
		if errors.Is(err, fs.ErrNotExist) && (want.Optional || want.Dev) {
			continue
		}
		var has struct {
			Version string `json:"version"`
		}
		if err != nil || json.Unmarshal(data, &has) != nil || has.Version != want.Version {
			return false
		}
	}
	return true
}

// readLock reads a lock file or its stamp. A link out of its directory is not
// followed: whoever wrote the change wrote it.
func readLock(file string) ([]byte, error) {
	return rooted.ReadIn(filepath.Dir(file), filepath.Base(file), maxLock)
}

const (
	maxLock     = 256 << 20
	MaxManifest = 4 << 20 // of an installed package
)

func readNPMLock(file string) (npmLock, bool) {
	var l npmLock
	data, err := readLock(file)
	return l, err == nil && json.Unmarshal(data, &l) == nil && l.Packages != nil
}

// sameYarnLock compares the entries of yarn.lock (v1) with those that yarn noted.
func sameYarnLock(lockFile, stampFile string) bool {
	lock, err := readLock(lockFile)
	stamp, stampErr := readLock(stampFile)
	var noted struct {
		Entries map[string]string `json:"lockfileEntries"`
	}
	if err != nil || stampErr != nil || json.Unmarshal(stamp, &noted) != nil || len(noted.Entries) == 0 {
		return false
	}
	locked := map[string]string{}
	var names []string
	for line := range strings.Lines(string(lock)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] != ' ' && strings.HasSuffix(line, ":"):
			names = strings.Split(strings.TrimSuffix(line, ":"), ", ")
		case strings.HasPrefix(line, "  resolved "):
			for _, name := range names {
				locked[strings.Trim(name, `"`)] = strings.Trim(strings.TrimPrefix(line, "  resolved "), `"`)
			}
		}
	}
	for name, resolved := range noted.Entries {
		if locked[name] != resolved {
			return false
		}
	}
	return len(locked) == len(noted.Entries)
}

// HasPackages reports whether packages are installed for a directory, or one above
// it.
func HasPackages(tree fs.FS, dir string) bool {
	return slices.ContainsFunc(Upwards(filepath.ToSlash(dir)), func(dir string) bool {
		_, err := fs.Stat(tree, path.Join(dir, "node_modules"))
		return !errors.Is(err, fs.ErrNotExist)
	})
}
