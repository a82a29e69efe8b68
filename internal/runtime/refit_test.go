package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A change of the lock file is tested with what it asks for, not with what lies in
// the checkout from before.
func TestHeadIsRefitted(t *testing.T) {
	t.Parallel()
	root, base := npmRepo(t, "1.0.0")
	w := open(t, Options{Root: root, Cache: reachableCache(t), Preparation: Preparation{Setup: [][]string{{"sh", "-c", "node t.js > built"}}}})
	if err := w.Against(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	if got := run(t, w, "node", "t.js") + run(t, w, "cat", "built"); got != "2.0.0\n2.0.0\n" || w.Unfit() != "" {
		t.Errorf("head runs with lib %q, unfit %q", got, w.Unfit())
	}
	if got := run(t, at(t, w, base), "node", "t.js"); got != "1.0.0\n" {
		t.Errorf("base runs with lib %q", got)
	}
	if touched, err := w.Restore(t.Context()); err != nil || touched != nil {
		t.Errorf("put back %q, %v", touched, err)
	}
	// What nothing of the change asks for is the user's.
	same := open(t, Options{Root: root})
	if err := same.Against(t.Context(), "HEAD"); err != nil {
		t.Fatal(err)
	}
	if got := run(t, same, "node", "t.js"); got != "1.0.0\n" || same.Unfit() != "" {
		t.Errorf("head without a change of the lock runs with lib %q, unfit %q", got, same.Unfit())
	}
}

func TestHeadIsUnfit(t *testing.T) {
	t.Parallel()
	root, base := npmRepo(t, "1.0.0")
	for _, c := range []struct {
		name, install, want string
		files               map[string]string
	}{
		{"not allowed", "never", "node_modules does not fit package-lock.json: run npm ci", nil},
		{"the installer fails", "", "tried in the copy", map[string]string{"lib-2.0.0.tgz": "broken"}},
		{"no lock", "", `"lib" in node_modules is 1.0.0, package.json asks for "^2.0.0": run npm install`,
			map[string]string{"package-lock.json": "", "package.json": `{"dependencies":{"lib":"^2.0.0"}}`}},
		{"no lock, not there", "", `"other" in node_modules is not there`,
			map[string]string{"package-lock.json": "", "package.json": `{"dependencies":{"other":"^2.0.0"}}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			put(t, root, c.files)
			if _, ok := c.files["package-lock.json"]; ok {
				if err := os.Remove(filepath.Join(root, "package-lock.json")); err != nil {
					t.Fatal(err)
				}
			}
			w := open(t, Options{Root: root, Install: c.install, Cache: reachableCache(t)})
			if err := w.Against(t.Context(), base); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(w.Unfit(), c.want) {
				t.Errorf("unfit %q, want %q", w.Unfit(), c.want)
			}
		})
	}
}

func TestPythonIsUnfit(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	put(t, root, map[string]string{"requirements.txt": "pip==1.0\nsurely-not-there==1\n"})
	w := open(t, Options{Root: root})
	if w.PythonPackages(t.Context(), "python3") == nil {
		t.Skip("no Python")
	}
	if err := w.Against(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(w.Unfit(), `requirements.txt asks for "==1.0": install it again`) {
		t.Errorf("unfit %q", w.Unfit())
	}
	if deps := at(t, w, base).Dependencies(); deps.Own || deps.Shared == "" {
		t.Errorf("dependencies of base: %+v", deps)
	}
}
