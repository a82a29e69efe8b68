//go:build unix

package rooted

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/assert"
)

func TestATreeOfSomebodyElse(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret")
	assert.NilError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	dir := t.TempDir()
	assert.NilError(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o755))
	for name, text := range map[string]string{"file": "text", "a/b/file": "deep"} {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	assert.NilError(t, fstest.TestFS(FS(dir), "file", "a/b/file"))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "huge"), nil, 0o600))
	assert.NilError(t, os.Truncate(filepath.Join(dir, "huge"), 1<<30))
	for name, to := range map[string]string{"inner": "a/b/file", "secret": outside, "zero": "/dev/zero", "up": "../x", "loop": "loop", "out": filepath.Dir(outside)} {
		assert.NilError(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	assert.NilError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	for name, want := range map[string]string{
		"file": "", "inner": "", "secret": "escapes", "zero": "escapes", "up": "escapes", "loop": "loop", "pipe": "not a regular file",
		"huge": "larger than", "out/secret": "escapes", "a": "not a regular file", "none": "no such file", "../x": "invalid", "/dev/zero": "invalid",
	} {
		data, err := fs.ReadFile(FS(dir), name)
		switch {
		case want == "" && (err != nil || len(data) == 0):
			t.Errorf("%s: %q, %v", name, data, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %q, error %v, want %s", name, data, err, want)
		}
	}
	if _, err := ReadIn(dir, "none", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestReplaceLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	assert.NilError(t, err)
	defer func() { _ = root.Close() }()
	assert.NilError(t, os.Mkdir(filepath.Join(dir, "taken"), 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "taken", "x"), nil, 0o600))
	assert.NilError(t, Replace(root, "a", []byte("1")))
	assert.NilError(t, Replace(root, "a", []byte("2")))
	assert.Assert(t, Replace(root, "taken", []byte("1")) != nil)
	entries, err := os.ReadDir(dir)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 2)
	data, err := Read(root, "a", 10)
	assert.NilError(t, err)
	assert.Equal(t, string(data), "2")
}
