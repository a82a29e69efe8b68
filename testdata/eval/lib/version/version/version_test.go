package version

import "testing"

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"1.0.0", "1.0.0", 0}, {"1.0.0", "2.0.0", -1}, {"1.2.0", "1.1.9", 1},
		{"1.0.0-rc.1", "1.0.0", -1}, {"1.0.0-alpha", "1.0.0-beta", -1},
		{"1.0.0-2", "1.0.0-10", -1}, {"1.0.0+a", "1.0.0+b", 0},
	} {
		a, err := Parse(c.a)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Parse(c.b)
		if err != nil {
			t.Fatal(err)
		}
		if got := Compare(a, b); got != c.want {
			t.Errorf("Compare(%s, %s) = %d", c.a, c.b, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "1", "1.2", "1.2.x", "1.2.3-"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
