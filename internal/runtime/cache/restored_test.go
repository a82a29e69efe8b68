package cache

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A content of npm is what its digest says, or is not laid.
func TestLayContents(t *testing.T) {
	t.Parallel()
	machine, l := t.TempDir(), Layers{Upper: t.TempDir()}
	lock := ""
	for text, is := range map[string]string{"right": "right", "evil": "is another"} {
		sum := sha512.Sum512([]byte(text))
		digest := hex.EncodeToString(sum[:])
		put(t, machine, filepath.Join(npmContents, digest[:2], digest[2:4], digest[4:]), is)
		lock += fmt.Sprintf("\"integrity\": \"sha512-%s\",\n", base64.StdEncoding.EncodeToString(sum[:]))
	}
	lock += `"integrity": "sha1-abc", "integrity": "sha512-short=="`
	for _, want := range []int{1, 0} {
		if n, err := l.LayContents(t.Context(), machine, []byte(lock)); err != nil || n != want {
			t.Errorf("%d, %v; want %d", n, err, want)
		}
	}
	got := files(t, l.Upper)
	if len(got) != 1 {
		t.Fatalf("%q", got)
	}
	if text, err := os.ReadFile(filepath.Join(l.Upper, got[0])); err != nil || string(text) != "right" {
		t.Errorf("%q, %v", text, err)
	}
}

// Caches that the job restored are taken over once, and no larger than the bound.
func TestTakeRestored(t *testing.T) {
	t.Parallel()
	home, l := t.TempDir(), Layers{Lower: t.TempDir()}
	for _, name := range []string{".cache/uv/wheels/a", ".npm/_cacache/b"} {
		put(t, home, name, "1")
	}
	getenv := func(name string) string { return map[string]string{"HOME": home}[name] }
	for range 2 {
		if refused, err := l.TakeRestored(getenv); err != nil || len(refused) > 0 {
			t.Errorf("%q, %v", refused, err)
		}
		if got, want := files(t, l.Lower), []string{"npm/_cacache/b", "uv/wheels/a"}; !slices.Equal(got, want) {
			t.Errorf("%q\nwant %q", got, want)
		}
		put(t, home, ".npm/_cacache/later", "1")
	}
	for n := range maxRestoredBytes>>30 + 1 { // one file of that size may be over a limit of the machine
		name := fmt.Sprint(".cache/pip/large", n)
		put(t, home, name, "")
		if err := os.Truncate(filepath.Join(home, name), 1<<30); err != nil {
			t.Fatal(err)
		}
	}
	if refused, err := l.TakeRestored(getenv); err != nil || !slices.Equal(refused, []string{filepath.Join(home, ".cache/pip")}) {
		t.Errorf("%q, %v", refused, err)
	}
}
