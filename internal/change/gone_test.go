package change

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRemoved(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		want          []Gone
	}{
		"nothing":      {"a\nb\n", "a\nb\n", nil},
		"only added":   {"a\nb\n", "a\nx\nb\n", nil},
		"changed":      {"a\nb\nc\n", "a\nx\nc\n", []Gone{{2, 2, []string{"b"}}}},
		"in the midst": {"a\nb\nc\nd\n", "a\nd\n", []Gone{{2, 2, []string{"b", "c"}}}},
		"at the start": {"a\nb\n", "b\n", []Gone{{1, 1, []string{"a"}}}},
		"at the end":   {"a\nb\n", "a\n", []Gone{{2, 2, []string{"b"}}}},
		"everything":   {"a\nb\n", "", []Gone{{1, 1, []string{"a", "b"}}}},
		"two places": {"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n", "a\nc\nd\ne\nf\ng\nh\ni\n",
			[]Gone{{2, 2, []string{"b"}}, {9, 10, []string{"j"}}}},
		"a line that looks like a mark": {"a\n--x\n", "a\n", []Gone{{2, 2, []string{"--x"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(c.want, Removed([]byte(c.before), []byte(c.after))); d != "" {
				t.Error(d)
			}
		})
	}
}
