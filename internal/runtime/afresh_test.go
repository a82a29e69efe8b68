package runtime

import (
	"os"
	"strings"
	"testing"
)

// What commands left in their home and among temporary files goes, what was prepared
// stays.
func TestAfresh(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w := open(t, Options{Root: root})
	if res, err := w.Prepare(t.Context(), ".", []string{"sh", "-c", `mkdir -p "$HOME/.cache/tool"; touch "$TMPDIR/prepared"`}, nil); err != nil || res.ExitCode != 0 {
		t.Fatal(res, err)
	}
	run(t, w, "sh", "-c", `mkdir -p "$HOME/.cache/shop" "$HOME/.shop/deep/er" "$TMPDIR/shop"; ln -s /etc "$TMPDIR/link"; chmod 500 "$HOME/.shop/deep"`)
	if err := w.Afresh(); err != nil && os.Getuid() == 0 {
		t.Error(err)
	}
	left := run(t, w, "sh", "-c", `cd "$HOME"; ls -d .cache/* .shop "$TMPDIR"/* 2>/dev/null || true`)
	for name, want := range map[string]bool{"tool": true, "prepared": true, "shop": false, "link": false} {
		if strings.Contains(left, name) != want {
			t.Errorf("%s there: %v\n%s", name, !want, left)
		}
	}
}
