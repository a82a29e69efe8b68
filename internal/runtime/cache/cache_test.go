package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// put writes a file below dir, with its directories.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
}

// content is what a file below dir says, "-" when there is none.
func content(dir, name string) string {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return "-"
	}
	return string(data)
}

// entry is an output of Go's build cache and the action that leads to it.
func entry(text string) (output, action, line string) {
	sum, id := sha256.Sum256([]byte(text)), sha256.Sum256([]byte("made "+text))
	out, act := hex.EncodeToString(sum[:]), hex.EncodeToString(id[:])
	return out[:2] + "/" + out + "-d", act[:2] + "/" + act + "-a", fmt.Sprintf("v1 %s %s %20d %20d\n", act, out, len(text), 1)
}

func layers(t *testing.T) (l Layers, another Layers) {
	t.Helper()
	top := t.TempDir()
	l, another = Layers{Lower: filepath.Join(top, "lower"), Upper: filepath.Join(top, "a", "upper")}, Layers{Lower: filepath.Join(top, "lower"), Upper: filepath.Join(top, "b", "upper")}
	assert.NilError(t, l.Lay())
	return l, another
}

func promote(t *testing.T, l Layers) {
	t.Helper()
	assert.NilError(t, l.Promote())
}

func TestPromotedIsSeenByOthers(t *testing.T) {
	t.Parallel()
	l, another := layers(t)
	output, action, line := entry("compiled")
	put(t, l.Upper, "go-build/"+output, "compiled")
	put(t, l.Upper, "go-build/"+action, line)
	put(t, l.Upper, "go-mod/example.com/lib@v1.0.0/lib.go", "package lib\n")
	assert.NilError(t, os.Chmod(filepath.Join(l.Upper, "go-mod/example.com/lib@v1.0.0"), 0o555))
	put(t, l.Upper, "go-mod/cache/download/example.com/lib/@v/v1.0.0.mod", "module example.com/lib\n")
	promote(t, l)
	assert.NilError(t, errors.Join(another.Lay(), another.LayBuilt()))
	for _, upper := range []string{l.Upper, another.Upper} {
		assert.Equal(t, content(upper, "go-build/"+output), "compiled")
		assert.Equal(t, content(upper, "go-build/"+action), line)
		assert.Equal(t, content(upper, "go-mod/example.com/lib@v1.0.0/lib.go"), "package lib\n")
		assert.Equal(t, content(upper, "go-mod/cache/download/example.com/lib/@v/v1.0.0.mod"), "module example.com/lib\n")
	}
	// An action is written again, and that is nobody else's.
	put(t, l.Upper, "go-build/"+action, "again")
	assert.Equal(t, content(another.Upper, "go-build/"+action), line)
	assert.Equal(t, content(l.Lower, "go-build/"+action), line)
	// What one adds later the other never sees.
	put(t, l.Upper, "go-mod/example.com/more@v1.0.0/more.go", "package more\n")
	assert.Equal(t, content(another.Upper, "go-mod/example.com/more@v1.0.0/more.go"), "-")
	assert.Equal(t, content(l.Lower, "go-mod/example.com/more@v1.0.0/more.go"), "-")
}

// An entry is filed under the digest of what it is, or it is not taken over.
func TestUnsoundEntriesStay(t *testing.T) {
	t.Parallel()
	l, _ := layers(t)
	output, action, line := entry("compiled")
	other, _, _ := entry("another")
	put(t, l.Upper, "go-build/"+output, "changed")
	put(t, l.Upper, "go-build/"+action, strings.Replace(line, "v1 ", "v2 ", 1))
	put(t, l.Upper, "go-build/trim.txt", "0")
	put(t, l.Upper, "go-build/ab/notes", "text")
	put(t, l.Upper, "go-mod/cache/download/example.com/lib/@v/v1.0.0.lock", "")
	put(t, l.Upper, "go-mod/cache/download/example.com/lib/@v/list", "v1.0.0\n")
	put(t, l.Upper, "go-mod/cache/vcs/1234/HEAD", "x")
	assert.NilError(t, os.MkdirAll(filepath.Join(l.Upper, "go-build", other[:2]), 0o755))
	assert.NilError(t, os.Symlink("/etc/hostname", filepath.Join(l.Upper, "go-build", other)))
	promote(t, l)
	err := filepath.WalkDir(l.Lower, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			t.Errorf("%s was taken over", path)
		}
		return nil
	})
	assert.NilError(t, err)
}

// What is there stays as it is: an entry never changes.
func TestTheFirstEntryStays(t *testing.T) {
	t.Parallel()
	l, another := layers(t)
	put(t, l.Upper, "go-mod/example.com/lib@v1.0.0/lib.go", "first\n")
	promote(t, l)
	put(t, another.Upper, "go-mod/example.com/lib@v1.0.0/lib.go", "second\n")
	promote(t, another)
	assert.Equal(t, content(l.Lower, "go-mod/example.com/lib@v1.0.0/lib.go"), "first\n")
	assert.Equal(t, content(another.Upper, "go-mod/example.com/lib@v1.0.0/lib.go"), "first\n")
}

func TestDownloads(t *testing.T) {
	t.Parallel()
	l, another := layers(t)
	large := strings.Repeat("x", linkFrom)
	put(t, l.Upper, "npm/_cacache/index-v5/aa", "one\n")
	put(t, l.Upper, "npm/_cacache/content-v2/bb", large)
	put(t, l.Upper, "pip/http/cc", "wheel")
	assert.NilError(t, l.PromoteDownloads())
	assert.NilError(t, another.LayDownloads())
	assert.Equal(t, content(another.Upper, "npm/_cacache/index-v5/aa"), "one\n")
	assert.Equal(t, content(another.Upper, "npm/_cacache/content-v2/bb"), large)
	assert.Equal(t, content(another.Upper, "pip/http/cc"), "wheel")
	put(t, another.Upper, "npm/_cacache/index-v5/aa", "one\ntwo\n")
	assert.Equal(t, content(l.Lower, "npm/_cacache/index-v5/aa"), "one\n")
	assert.NilError(t, another.PromoteDownloads())
	assert.Equal(t, content(l.Lower, "npm/_cacache/index-v5/aa"), "one\ntwo\n")
}

// An installer copies a file of its cache with its mode, and changes the copy: uv the
// list of a package's files, which is long where the package is.
func TestDownloadsCanBeCopiedAndChanged(t *testing.T) {
	t.Parallel()
	l, another := layers(t)
	another.Own = func(string) error { return nil }
	put(t, l.Upper, "uv/archive/long.RECORD", strings.Repeat("x", linkFrom))
	put(t, l.Lower, "uv/archive/early.RECORD", strings.Repeat("x", linkFrom))
	assert.NilError(t, os.Chmod(filepath.Join(l.Lower, "uv/archive/early.RECORD"), 0o444))
	assert.NilError(t, l.PromoteDownloads())
	assert.NilError(t, another.LayDownloads())
	for _, name := range []string{"long.RECORD", "early.RECORD"} {
		info, err := os.Stat(filepath.Join(another.Upper, "uv/archive", name))
		assert.NilError(t, err)
		assert.Equal(t, info.Mode().Perm(), os.FileMode(0o644), name)
	}
}
