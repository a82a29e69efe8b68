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

// An id is free that an image gave to the code, and no other that somebody has.
func TestTaken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		passwd, group string
		taken         bool
	}{
		"nobody":              {"root:x:0:0::/root:/bin/sh", "root:x:0:", false},
		"the code's":          {"qa:x:65532:65532:code that qa runs:/:/bin/sh", "qa:x:65532:", false},
		"a person's":          {"qa:x:65532:65532:Quinn A.:/home/qa:/bin/sh", "qa:x:65532:", true},
		"another's":           {"nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin", "", true},
		"a group":             {"", "others:x:65532:", true},
		"a group of the name": {"", "qa:x:65532:", true},
		"both":                {"qa:x:65532:65532:code that qa runs:/:/bin/sh\nb:x:65532:1::/:/bin/sh", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{"passwd": c.passwd, "group": c.group} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := taken(records(filepath.Join(dir, "passwd")), records(filepath.Join(dir, "group"))); got[65532] != c.taken || !got[65534] {
				t.Errorf("%v", got)
			}
		})
	}
	if got := records(filepath.Join(t.TempDir(), "none")); got != nil {
		t.Errorf("%q", got)
	}
}
