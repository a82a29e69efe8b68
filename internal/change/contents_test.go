package change

import (
	"errors"
	"io/fs"
	"testing"
)

// Many files read at once are what each is on its own.
func TestContentsAreThoseOfEachFile(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("empty", "")
	r.write("with space/ü.txt", "a\nb missing\n")
	r.write("no end", "x")
	r.write("odd\nname", "y")
	sha := r.commit("one")
	r.write("later", "z")
	asked := []string{"gone", "empty", "with space/ü.txt", "with space", "no end", "odd\nname", "later", "../out"}
	got, err := Contents(t.Context(), r.dir, sha, asked)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range asked {
		want, err := Content(t.Context(), r.dir, sha, path)
		data, ok := got[path]
		switch {
		case path == "odd\nname":
			if ok || err != nil {
				t.Errorf("%q: %v, %v", path, ok, err)
			}
		case errors.Is(err, fs.ErrNotExist):
			if ok {
				t.Errorf("%q is not there, got %q", path, data)
			}
		case err != nil || !ok || string(data) != string(want):
			t.Errorf("%q is %q (%v), want %q (%v)", path, data, ok, want, err)
		}
	}
	if _, err := batch([]byte("abc blob 90\nshort\n"), []string{"a"}); err == nil {
		t.Error("a size beyond the output was believed")
	}
}
