package sandbox

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInOwnTmp(t *testing.T) {
	t.Parallel()
	hide := []string{"/root", "/tmp/work/repo", "/tmp/home"}
	for dir, want := range map[string][]string{
		"/tmp/sdk/bin":       {"/tmp/sdk"},
		"/tmp/sdk":           {"/tmp/sdk"},
		"/dev/shm/sdk/bin":   {"/dev/shm/sdk"},
		"/dev/shm":           nil,
		"/tmp/bin":           {"/tmp/bin"},
		"/tmp":               nil,
		"/usr/bin":           nil,
		"/tmp/work/bin":      {"/tmp/work/bin"}, // the checkout is in /tmp/work
		"/tmp/work/repo/bin": nil,
		"/tmp/home/.x/bin":   nil, // decided with the homes
	} {
		if diff := cmp.Diff(want, inOwnTmp(hide, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", dir, diff)
		}
	}
}
