package cache

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"
)

// moduleZip is a module as the go command keeps it.
func moduleZip(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, file := range []string{"go.mod", "a.go"} {
		w, err := z.Create(name + "/" + file)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipSum(t *testing.T, data []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err := dirhash.HashZip(name, dirhash.Hash1)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// files are the regular files below a directory.
func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Of what anybody may have written only that is taken which the sums vouch for.
func TestTakeModules(t *testing.T) {
	t.Parallel()
	machine, l := t.TempDir(), Layers{Lower: t.TempDir()}
	downloads := filepath.Join(machine, "cache/download")
	right := moduleZip(t, "example.com/Right@v1.0.0", "right")
	put(t, downloads, "example.com/!right/@v/v1.0.0.zip", string(right))
	put(t, downloads, "example.com/!right/@v/v1.0.0.mod", "module example.com/Right\n")
	put(t, downloads, "example.com/!right/@v/v1.0.0.info", `{"Version":"v9"}`) // nothing vouches for it
	put(t, downloads, "example.com/evil/@v/v1.0.0.zip", string(moduleZip(t, "example.com/evil@v1.0.0", "evil")))
	put(t, downloads, "example.com/evil/@v/v1.0.0.mod", "module example.com/evil\n")
	put(t, downloads, "example.com/broken/@v/v1.0.0.zip", "no archive")
	outside := t.TempDir()
	put(t, outside, "a.zip", string(right))
	put(t, downloads, "example.com/link/@v/list", "")
	if err := os.Symlink(filepath.Join(outside, "a.zip"), filepath.Join(downloads, "example.com/link/@v/v1.0.0.zip")); err != nil {
		t.Fatal(err)
	}
	mod, err := sumOf(filepath.Join(machine, "cache/download/example.com/!right/@v/v1.0.0.mod"), ".mod")
	if err != nil {
		t.Fatal(err)
	}
	sums := fmt.Sprintf("example.com/Right v1.0.0 %s\nexample.com/Right v1.0.0/go.mod %s\n", zipSum(t, right), mod) +
		fmt.Sprintf("example.com/evil v1.0.0 %s\nexample.com/evil v1.0.0/go.mod %s\n", zipSum(t, right), zipSum(t, right)) +
		fmt.Sprintf("example.com/link v1.0.0 %s\nexample.com/broken v1.0.0 %s\n", zipSum(t, right), zipSum(t, right)) +
		"../../../etc v1.0.0 h1:x\nexample.com/a ../../v1 h1:x\nno sum\nexample.com/old v1.0.0 md5:x\n"
	// A run that was killed here left half of it, which nobody may write to.
	put(t, l.Lower, "go-mod/cache/download/example.com/!right/@v/v1.0.0.ziphash", "h1:half")
	if err := os.Chmod(filepath.Join(l.Lower, "go-mod/cache/download/example.com/!right/@v/v1.0.0.ziphash"), 0o444); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 0} { // what is there stays
		if n, err := l.TakeModules(t.Context(), machine, []byte(sums)); err != nil || n != want {
			t.Errorf("%d, %v; want %d", n, err, want)
		}
	}
	want := []string{"example.com/!right/@v/v1.0.0.mod", "example.com/!right/@v/v1.0.0.zip", "example.com/!right/@v/v1.0.0.ziphash"}
	if got := files(t, filepath.Join(l.Lower, "go-mod/cache/download")); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if noted := content(l.Lower, "go-mod/cache/download/example.com/!right/@v/v1.0.0.ziphash"); noted != zipSum(t, right) {
		t.Errorf("noted %q", noted)
	}
	if n, err := l.TakeModules(t.Context(), filepath.Join(machine, "none"), []byte(sums)); n != 0 || err != nil {
		t.Errorf("no cache: %d, %v", n, err)
	}
}

// An archive that holds more than it says is read no further.
func TestSumOfABomb(t *testing.T) {
	t.Parallel()
	data := moduleZip(t, "example.com/a@v1.0.0", string(bytes.Repeat([]byte("x"), 1<<20)))
	name := filepath.Join(t.TempDir(), "a.zip")
	// The directory at the end says how large a file is: 1<<20 becomes 16.
	if n := bytes.Count(data, []byte{0, 0, 16, 0}); n < 2 {
		t.Fatalf("%d sizes", n)
	}
	if err := os.WriteFile(name, bytes.ReplaceAll(data, []byte{0, 0, 16, 0}, []byte{16, 0, 0, 0}), 0o600); err != nil {
		t.Fatal(err)
	}
	if sum, err := sumOf(name, ".zip"); err == nil && sum == zipSum(t, data) {
		t.Error("it was read to its end")
	}
}
