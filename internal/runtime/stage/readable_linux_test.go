package stage

import (
	"slices"
	"testing"
)

func TestReadable(t *testing.T) {
	t.Parallel()
	below := map[string][]string{"/": {"etc", "home", "tmp"}, "/home": {"us", "you"}, "/home/us": {"key", "go"}}
	list := func(dir string) []string { return below[dir] }
	for name, c := range map[string]struct{ hide, keep, want []string }{
		"nothing is hidden":                {want: []string{"/"}},
		"what is kept in what is hidden":   {hide: []string{"/home/us"}, keep: []string{"/home/us/go"}, want: []string{"/etc", "/home/us/go", "/home/you", "/tmp"}},
		"where one may pass, but not list": {hide: []string{"/tmp/job/token"}, keep: []string{"/tmp/job/cache"}, want: []string{"/etc", "/home", "/tmp/job/cache"}},
	} {
		if got := readable(c.hide, c.keep, list); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
