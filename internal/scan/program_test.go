package scan

import (
	"strings"
	"testing"
)

// What is remembered is one program's: a program says itself which it is, and where it
// does not all of it is read.
func TestProgram(t *testing.T) {
	t.Parallel()
	id := func(text string) string {
		t.Helper()
		got, err := programID(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	const note = "\x04\x00\x00\x00\x07\x00\x00\x00\x04\x00\x00\x00Go\x00\x00"
	if got := id("\x7fELF" + note + "a/b/c/d" + strings.Repeat("x", firstPages)); got != "a/b/c/d" {
		t.Errorf("%q", got)
	}
	for name, text := range map[string]string{"no note": "\x7fELF", "an empty one": note, "of another kind": note + "abcdefg", "cut off": note + "a/b"} {
		rest := strings.Repeat("x", firstPages)
		if one, other := id(text+rest+"1"), id(text+rest+"2"); one == other || len(one) != 64 {
			t.Errorf("%s: %q and %q", name, one, other)
		}
	}
}
