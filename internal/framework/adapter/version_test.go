package adapter

import "testing"

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version      string
		major, minor int
		want         bool
	}{
		{"3.2.4", 3, 0, true}, {"3.2.4", 3, 2, true}, {"3.2.4", 3, 3, false}, {"^2.1.0", 3, 0, false}, {"10.0.0", 9, 2, true},
		{"", 9, 9, true}, {"latest", 4, 0, true}, {"99999999999999999999.1", 4, 0, true},
	} {
		if got := AtLeast(c.version, c.major, c.minor); got != c.want {
			t.Errorf("atLeast(%q, %d, %d) = %v", c.version, c.major, c.minor, got)
		}
	}
}
