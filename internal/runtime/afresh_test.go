package runtime

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What commands left in their home and among temporary files goes, what was prepared
// stays.
func TestAfresh(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w := open(t, Options{Root: root})
	if res, err := w.Prepare(t.Context(), Command{Argv: []string{"sh", "-c", `mkdir -p "$HOME/.cache/tool"; touch "$TMPDIR/prepared"`}}); err != nil || res.ExitCode != 0 {
		t.Fatal(res, err)
	}
	run(t, w, "sh", "-c", `mkdir -p "$HOME/.cache/shop" "$HOME/.shop/deep/er" "$TMPDIR/shop"; ln -s /etc "$TMPDIR/link"; chmod 500 "$HOME/.shop/deep"`)
	if err := w.Afresh(t.Context()); err != nil {
		t.Error(err)
	}
	left := run(t, w, "sh", "-c", `cd "$HOME"; ls -d .cache/* .shop "$TMPDIR"/* 2>/dev/null || true`)
	for name, want := range map[string]bool{"tool": true, "prepared": true, "shop": false, "link": false} {
		if strings.Contains(left, name) != want {
			t.Errorf("%s there: %v\n%s", name, !want, left)
		}
	}
}

// The project's files are put back, and what the tests wrote there is told in the end all
// the same; nothing that was put back counts as theirs.
func TestAfreshPutsTheTreeBack(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w := open(t, Options{Root: root, Preparation: Preparation{Setup: [][]string{{"sh", "-c", "echo made > generated"}}}})
	run(t, w, "sh", "-c", "echo evil > file; echo x > left; mkdir -p empty/deep; echo evil > generated; mv sub/keep sub/kept")
	if err := w.Afresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	left := run(t, w, "sh", "-c", "ls -d left empty sub/kept 2>/dev/null || true; cat sub/keep file generated")
	if left != "k\nhead\nevil\n" {
		t.Errorf("left: %q", left)
	}
	_, since := w.Stirred()
	if !since.Made["left"] || !since.Gone["sub/keep"] || since.Made["sub/keep"] || since.Gone["sub/kept"] {
		t.Errorf("noted: %+v", since)
	}
	run(t, w, "sh", "-c", "echo more > second")
	touched, err := w.Restore(t.Context())
	if diff := cmp.Diff([]string{"file", "generated", "left", "second", "sub/keep", "sub/kept"}, touched); err == nil || diff != "" {
		t.Errorf("err = %v, touched (-want +got):\n%s", err, diff)
	}
}
