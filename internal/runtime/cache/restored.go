package cache

import (
	"context"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/walk"
)

// The contents of npm's cache lie below this folder, each under its own digest.
const npmContents = "_cacache/content-v2/sha512"

// maxContent bounds one package, in bytes.
const maxContent = 500 << 20

// integrity is how a lock file of npm names a content.
var integrity = pattern.New(`"sha512-([A-Za-z0-9+/]{86}==)"`)

// LayContents lays in the upper layer the packages that a lock file of npm names by
// their digest and that lie in the machine's cache. Anybody may have written to that
// cache, and the lock file may be the change's: a content is what its digest says,
// whoever asks for it. It returns how many were laid.
func (l Layers) LayContents(ctx context.Context, machine string, lock []byte) (laid int, err error) {
	root, err := os.OpenRoot(machine)
	if err != nil {
		return 0, nil //nolint:nilerr // there is no such cache
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	upper := filepath.Join(l.Upper, "npm")
	for _, match := range integrity.FindAllSubmatch(lock, -1) {
		sum, err := base64.StdEncoding.DecodeString(string(match[1]))
		if err != nil || ctx.Err() != nil {
			continue
		}
		digest := hex.EncodeToString(sum)
		took, err := l.layContent(root, upper, path.Join(npmContents, digest[:2], digest[2:4], digest[4:]), digest)
		if err != nil {
			return laid, fmt.Errorf("lay cache npm: %w", err)
		}
		if took {
			laid++
		}
	}
	if laid > 0 {
		err = l.ownDirs(upper)
	}
	return laid, errors.Join(err, ctx.Err())
}

func (l Layers) layContent(machine *os.Root, upper, file, digest string) (bool, error) {
	f, info, err := rooted.Open(machine, file)
	if err != nil || info.Size() > maxContent {
		return false, nil //nolint:nilerr // npm fetches it
	}
	defer func() { _ = f.Close() }()
	goal := filepath.Join(upper, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(goal), 0o755); err != nil {
		return false, err
	}
	out, err := os.OpenFile(goal, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = nil
		}
		return false, err
	}
	is := sha512.New()
	_, err = io.Copy(io.MultiWriter(out, is), io.LimitReader(f, maxContent))
	if err = errors.Join(err, out.Close()); err == nil && hex.EncodeToString(is.Sum(nil)) == digest {
		return true, l.own(goal)
	}
	return false, errors.Join(err, os.Remove(goal))
}

// The bounds of one cache that is taken over as a whole, in files and bytes.
const (
	maxRestoredFiles = 100_000
	maxRestoredBytes = 4 << 30
)

// TakeRestored takes over into the lower layer, as they are, the caches of package
// managers that the job restored, where the layer has nothing of them. Only a run of
// trusted code may call it, on a machine on which nothing else ever ran. It returns what
// was too large.
func (l Layers) TakeRestored(getenv func(string) string) (refused []string, err error) {
	for _, c := range language.Caches() {
		machine, lower := c.At(getenv), filepath.Join(l.Lower, c.Folder)
		if _, there := os.Lstat(lower); !c.Download || machine == "" || there == nil {
			continue
		}
		files, bytes := 0, int64(0)
		err := walk.Files(machine, func(_ string, info fs.FileInfo) error {
			if files, bytes = files+1, bytes+info.Size(); files > maxRestoredFiles || bytes > maxRestoredBytes {
				return errTooLarge
			}
			return nil
		})
		switch {
		case errors.Is(err, errTooLarge):
			refused = append(refused, machine)
			continue
		case errors.Is(err, fs.ErrNotExist), err == nil && files == 0:
			continue
		case err == nil:
			temp := lower + ".qa-" + rand.Text()[:8]
			if err = takeOver(machine, temp); err == nil {
				err = os.Rename(temp, lower)
			}
			err = errors.Join(err, rooted.RemoveAll(temp))
		}
		if err != nil {
			return refused, fmt.Errorf("take over cache %s: %w", c.Folder, err)
		}
	}
	return refused, nil
}

var errTooLarge = errors.New("too large")

// takeOver copies the regular files of a cache.
func takeOver(machine, lower string) error {
	return walk.Files(machine, func(rel string, _ fs.FileInfo) error {
		goal := filepath.Join(lower, rel)
		if err := os.MkdirAll(filepath.Dir(goal), 0o755); err != nil {
			return err
		}
		return errors.Join(CopyFile(filepath.Join(machine, rel), goal), settle(goal))
	})
}
