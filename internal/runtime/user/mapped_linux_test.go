package user

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestMapped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file     string
		ids, not []int
	}{
		"machine":                {"         0          0 4294967295\n", []int{0, 65532, 4000000000}, []int{4294967295}},
		"one id":                 {"0 1000 1\n", []int{0}, []int{1, 1000, 65532}},
		"an ordinary user's":     {"0 1000 1\n1 100000 65535\n", []int{0, 1, 65532, 65535}, []int{65536}},
		"not what it should be":  {"0 x 1\n\n-5\n99999999999999999999 0 1\n", nil, []int{0, 65532}},
		"no line at all":         {"", nil, []int{0}},
		"a line with more on it": {"0 0 10 20\n", []int{9}, []int{10}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "map")
			if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			has := mapped(file)
			if i := slices.IndexFunc(c.ids, func(id int) bool { return !has(id) }); i >= 0 {
				t.Errorf("%d is not there", c.ids[i])
			}
			if i := slices.IndexFunc(c.not, has); i >= 0 {
				t.Errorf("%d is there", c.not[i])
			}
		})
	}
	if !mapped(filepath.Join(t.TempDir(), "none"))(65532) {
		t.Error("no file, no ids")
	}
}
