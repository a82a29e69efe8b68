package runtime

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/runtime/clone"
)

// An environment beside the checkout names the checkout, which the tests must not
// see: its packages are those of the tree they run in, on head and on base.
func TestEditableInstallsOutsideOfTheCheckoutAreTheCopy(t *testing.T) {
	root, base := repo(t)
	put(t, root, map[string]string{"pyproject.toml": "", "src/p/__init__.py": "", "lib/q/r/__init__.py": ""})
	machine := t.TempDir()
	for _, dir := range []string{machine, filepath.Dir(machine)} {
		if err := os.Chmod(dir, 0o755); err != nil { // the user of the tests starts programs there
			t.Fatal(err)
		}
	}
	site := filepath.Join(machine, "site")
	put(t, machine, map[string]string{
		"site/p.pth": "import os\n# " + root + "\n" + root + "/src\n/elsewhere\n" + root + "-other/src\nsrc\n",
		"site/__editable___q_finder.py": fmt.Sprintf("MAPPING: dict[str, str] = {'q.r': '%s/lib/q/r', 'x': '%s/lib/y'}\n",
			root, root),
		"bin/python3": "#!/bin/sh\necho '[\"" + site + "\"]'\n",
	})
	if err := os.Chmod(filepath.Join(machine, "bin/python3"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "PATH="+filepath.Join(machine, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	w := open(t, Options{Root: root, Env: env, Install: "never"})
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	for _, side := range []*Workspace{w, b} {
		got := strings.TrimSpace(run(t, side, "sh", "-c", "echo $PYTHONPATH"))
		if want := filepath.Join(side.Dir(), "lib") + string(os.PathListSeparator) + filepath.Join(side.Dir(), "src"); got != want {
			t.Errorf("PYTHONPATH is %q, want %q", got, want)
		}
	}
}

// TestRewritingFollowsNoLink: what lies in an installation under the name of our
// temporary file is not written through.
func TestRewritingFollowsNoLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{"site/a.pth": "/old/src\n", "outside": "ours\n"})
	for _, name := range []string{"a.pth.qa-new", ".a.pth"} {
		if err := os.Symlink("../outside", filepath.Join(dir, "site", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "site", "a.pth"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := clone.Rewrite(filepath.Join(dir, "site", "a.pth"), "/old", "/new"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"site/a.pth": "/new/src\n", "outside": "ours\n"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != want {
			t.Errorf("%s is %q, %v", name, data, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "site", "a.pth")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
