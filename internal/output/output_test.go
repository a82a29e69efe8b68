//go:build unix

package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// testsUser stands for the user as whom tests run. It is never us: these tests may run
// as that user, too.
var testsUser = func() int {
	if id := 65532; id != os.Geteuid() {
		return id
	}
	return 65533
}()

// open opens an output directory "a/out" of a checkout that holds what make
// makes of it.
func open(t *testing.T, tracked []string, make func(top string)) (*Dir, string) {
	t.Helper()
	top := t.TempDir()
	assert.NilError(t, os.Chmod(top, 0o755))
	make(top)
	d, err := Open(Spec{Checkout: top, Name: "a/out", Tests: testsUser, Tracked: func(string) ([]string, error) { return tracked, nil }})
	assert.NilError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d, top
}

func dirs(t *testing.T, at ...string) string {
	t.Helper()
	dir := filepath.Join(at...)
	assert.NilError(t, os.MkdirAll(dir, 0o755))
	return dir
}

func write(t *testing.T, at ...string) {
	t.Helper()
	assert.NilError(t, os.WriteFile(filepath.Join(at...), []byte("{}"), 0o600))
}

func TestWhatIsNotOursIsRefusedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tracked []string
		make    func(t *testing.T, part string)
		root    bool // needs one
		want    string
	}{
		"nothing there":      {nil, func(t *testing.T, part string) { assert.NilError(t, os.RemoveAll(part)) }, false, ""},
		"of an earlier run":  {nil, func(t *testing.T, part string) { write(t, part, "x.json") }, false, ""},
		"another is tracked": {[]string{"a/out/index.html", "a/out/parts"}, func(t *testing.T, part string) { write(t, part, "x.json") }, false, ""},
		"tracked below":      {[]string{"a/out/part/x.json"}, func(*testing.T, string) {}, false, "a/out/part/x.json is tracked by git"},
		"in another case":    {[]string{"A/Out/PART/x.json"}, func(*testing.T, string) {}, false, "is tracked by git"},
		"in a submodule":     {[]string{"a"}, func(*testing.T, string) {}, false, "a is tracked by git"},
		"a repository":       {nil, func(t *testing.T, part string) { dirs(t, part, ".git") }, false, "it is a repository of its own"},
		"a repository below": {nil, func(t *testing.T, part string) { dirs(t, part, "x", ".git") }, false, "a/out/part/x is a repository of its own"},
		"a repository above": {nil, func(t *testing.T, part string) { write(t, filepath.Dir(part), ".git") }, false, "a/out is a repository of its own"},
		"a link": {nil, func(t *testing.T, part string) {
			assert.NilError(t, errors.Join(os.Remove(part), os.Symlink("..", part)))
		}, false, "it is a symbolic link"},
		"a link below": {nil, func(t *testing.T, part string) {
			assert.NilError(t, os.Symlink("/etc/passwd", filepath.Join(part, "x.json")))
		}, false, "a/out/part/x.json is a symbolic link"},
		"a second name": {nil, func(t *testing.T, part string) {
			write(t, part, "x.json")
			assert.NilError(t, os.Link(filepath.Join(part, "x.json"), filepath.Join(part, "..", "..", "y")))
		}, false, "has a second name (hard link)"},
		"written by all": {nil, func(t *testing.T, part string) {
			write(t, part, "x.json")
			assert.NilError(t, os.Chmod(filepath.Join(part, "x.json"), 0o666))
		}, false, "can be written by others, so it may be the work of whoever wrote the change; take that right away"},
		"a directory above written by all": {nil, func(t *testing.T, part string) {
			assert.NilError(t, os.Chmod(filepath.Dir(part), 0o777))
		}, false, "a/out can be written by others"},
		"the checkout written by all": {nil, func(t *testing.T, part string) {
			assert.NilError(t, os.Chmod(filepath.Join(part, "..", "..", ".."), 0o777))
		}, false, "the checkout can be written by others"},
		"of somebody else": {nil, func(t *testing.T, part string) {
			assert.NilError(t, os.Chown(part, 12345, 12345))
		}, true, "it belongs to another user (12345)"},
		"of the tests' user": {nil, func(t *testing.T, part string) {
			assert.NilError(t, os.Chown(part, testsUser, testsUser))
		}, true, "it belongs to the user as whom tests run"},
		"of a group": {nil, func(t *testing.T, part string) {
			assert.NilError(t, errors.Join(os.Chown(part, 0, 12345), os.Chmod(part, 0o775)))
		}, true, "it can be written by others"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.root && os.Geteuid() != 0 {
				t.Skip("only root makes files of another user")
			}
			d, _ := open(t, c.tracked, func(top string) { c.make(t, dirs(t, top, "a/out/part")) })
			for range 2 {
				err := d.Ours("part")
				if c.want == "" {
					assert.NilError(t, err)
					continue
				}
				refused := (*RefusedError)(nil)
				assert.Assert(t, errors.As(err, &refused), "%v", err)
				assert.ErrorContains(t, err, c.want)
			}
			if want := min(len(c.want), 1); len(d.Refused()) != want {
				t.Errorf("refused %v", d.Refused())
			}
		})
	}
}

// What a container's root gave back to the owner of the checkout is ours, unless
// tests run as that owner.
func TestTheCheckoutsOwnerIsOneOfUs(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root makes files of another user")
	}
	for owner, want := range map[int]string{1001: "", testsUser: "the checkout belongs to the user as whom tests run"} {
		d, _ := open(t, nil, func(top string) {
			part := dirs(t, top, "a/out/part")
			write(t, part, "x.json")
			assert.NilError(t, os.Chown(top, owner, owner))
			assert.NilError(t, os.Chown(filepath.Join(part, "x.json"), owner, owner))
		})
		if err := d.Ours("part"); want == "" {
			assert.NilError(t, err)
		} else {
			assert.ErrorContains(t, err, want)
		}
	}
}

func TestLinksOnTheWayAreRefusedBeforeAnythingIsMade(t *testing.T) {
	t.Parallel()
	top, outside := t.TempDir(), t.TempDir()
	assert.NilError(t, os.Symlink(outside, filepath.Join(top, "esc")))
	dirs(t, top, "in")
	assert.NilError(t, os.Symlink(".", filepath.Join(top, "in", "loop")))
	for name, want := range map[string]string{
		"esc/qa": "esc is a symbolic link", "esc": "esc is a symbolic link", "in/loop/x": "in/loop is a symbolic link",
		"../x": "leaves the repository", "/x": "leaves the repository", "in/../../x": "leaves the repository",
	} {
		_, err := Open(Spec{Checkout: top, Name: name, Tests: -1})
		place := (*PlaceError)(nil)
		assert.Assert(t, errors.As(err, &place), "%s: %v", name, err)
		assert.ErrorContains(t, err, want)
	}
	entries, err := os.ReadDir(outside)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 0)
}

// The way is looked at again when it is gone, and what is open stays where it is.
func TestAnExchangedDirectoryIsNotFollowed(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	d, top := open(t, nil, func(string) {})
	assert.NilError(t, os.Symlink(outside, filepath.Join(top, "a")))
	assert.ErrorContains(t, d.Write("x", nil), "a is a symbolic link")
	assert.NilError(t, os.Remove(filepath.Join(top, "a")))
	assert.NilError(t, d.Write("x", []byte("1")))
	assert.NilError(t, os.Rename(filepath.Join(top, "a"), filepath.Join(top, "b")))
	assert.NilError(t, os.Symlink(outside, filepath.Join(top, "a")))
	assert.NilError(t, d.Write("x", []byte("2")))
	entries, err := os.ReadDir(outside)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 0)
	got, err := os.ReadFile(filepath.Join(top, "b", "out", "x"))
	assert.NilError(t, err)
	assert.Equal(t, string(got), "2")
}

// A reader neither waits nor reads without end, and a writer writes to no file
// that has another name.
func TestFilesOfDoubtfulKind(t *testing.T) {
	t.Parallel()
	d, top := open(t, nil, func(top string) { dirs(t, top, "a/out") })
	out, victim := filepath.Join(top, "a/out"), filepath.Join(top, "victim")
	write(t, victim)
	assert.NilError(t, os.Link(victim, filepath.Join(out, "hard")))
	assert.NilError(t, os.Symlink("../../victim", filepath.Join(out, "soft")))
	pipe(t, filepath.Join(out, "pipe"))
	write(t, out, "sparse")
	assert.NilError(t, os.Truncate(filepath.Join(out, "sparse"), 1<<30))
	for name, want := range map[string]string{
		"hard": "has a second name", "soft": "is a symbolic link", "pipe": "is neither a file nor a directory", "sparse": "is larger than 1000 bytes",
	} {
		if _, err := d.Read(name, 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
		assert.NilError(t, d.Write(name, []byte("new")))
		got, err := d.Read(name, 1000)
		assert.NilError(t, err)
		assert.Equal(t, string(got), "new")
	}
	got, err := os.ReadFile(victim)
	assert.NilError(t, err)
	assert.Equal(t, string(got), "{}")
	if _, err := d.Read("none", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
