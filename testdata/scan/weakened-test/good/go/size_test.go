package size

import "testing"

func TestFormat(t *testing.T) {
	for in, want := range map[int]string{1024: "1 KiB", 2048: "2 KiB"} {
		if got := Format(in); got != want {
			t.Errorf("got %q", got)
		}
	}
}

func TestParseOne(t *testing.T) {
	n, err := Parse("1 KiB")
	if err != nil {
		t.Fatal(err)
	}
	if n != 1024 {
		t.Errorf("got %d, want 1024", n)
	}
}
