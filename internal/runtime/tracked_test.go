package runtime

import (
	"os"
	"path/filepath"
	"testing"
)

// A committed directory that looks like an environment is the project's source:
// base must not get head's copy of it, tests that change it are undone.
func TestCommittedIsNoEnvironment(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{
		".gitignore": "/node_modules/*\n!/node_modules/own\n.venv\n", "lib/price.py": "base\n",
		"node_modules/own/index.js": "base\n", "fixtures/node_modules/dep/index.js": "base\n",
	})
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "base with packages of its own")
	base := git(t, root, "rev-parse", "HEAD")
	put(t, root, map[string]string{
		"lib/pyvenv.cfg": "", "lib/price.py": "head\n", "lib/added.py": "head\n",
		"node_modules/own/index.js": "head\n", "node_modules/own/added.js": "head\n", "node_modules/dep/index.js": "installed\n",
		"fixtures/node_modules/dep/index.js": "head\n", "fixtures/node_modules/more/index.js": "head\n",
		"other/node_modules/dep/index.js": "head\n", "other/file": "head\n", ".venv/pyvenv.cfg": "", ".venv/bin/tool": "installed\n",
	})
	git(t, root, "add", "--force", "lib", "node_modules/own", "fixtures", "other")
	git(t, root, "commit", "-q", "-m", "head")
	w := open(t, Options{Root: root, Install: "never"})
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	for name, want := range map[string]string{
		"lib/price.py": "base\n", "lib/added.py": "", "lib/pyvenv.cfg": "missing",
		"node_modules/own/index.js": "base\n", "node_modules/own/added.js": "", "node_modules/dep/index.js": "installed\n",
		"fixtures/node_modules/dep/index.js": "base\n", "fixtures/node_modules/more/index.js": "",
		"other/node_modules/dep/index.js": "", ".venv/bin/tool": "installed\n",
	} {
		data, err := os.ReadFile(filepath.Join(b.Dir(), name))
		if (want == "" || want == "missing") != os.IsNotExist(err) || string(data) != want && err == nil {
			t.Errorf("%s in base: %q, %v; want %q", name, data, err, want)
		}
	}
	before, err := w.Digest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if before["lib/price.py"] == "" || before["node_modules/own/index.js"] == "" || before["node_modules/dep/index.js"] != "" {
		t.Errorf("digest has %v", before)
	}
	run(t, w, "sh", "-c", "echo evil | tee lib/price.py node_modules/own/index.js fixtures/node_modules/dep/index.js")
	touched, err := w.Restore(t.Context())
	if err != nil || len(touched) != 3 {
		t.Errorf("put back %q, %v", touched, err)
	}
	if got := run(t, w, "cat", "lib/price.py", "node_modules/own/index.js", "fixtures/node_modules/dep/index.js"); got != "head\nhead\nhead\n" {
		t.Errorf("after restoring: %q", got)
	}
}
