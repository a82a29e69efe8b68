package size

import "testing"

func TestFormat(t *testing.T) {
	if got := Format(1024); got != "1 KiB" {
		t.Errorf("got %q", got)
	}
}

func TestParse(t *testing.T) {
	n, err := Parse("1 KiB")
	if err != nil {
		t.Fatal(err)
	}
	if n != 1024 {
		t.Errorf("got %d", n)
	}
}
