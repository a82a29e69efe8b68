package python

import (
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestMendCopy: pip cannot replace a copy that no distribution owns.
func TestMendCopy(t *testing.T) {
	t.Parallel()
	const site, install = ".venv/lib/site-packages/", ".venv/bin/python -m pip install -e ./"
	root := fixture.Files(t, map[string]string{
		"pyproject.toml": "", site + "plain/__init__.py": "", site + "one.py": "", site + "two.py": "", site + "old/__init__.py": "",
		site + "dist/__init__.py": "", site + "Dist-1.dist-info/RECORD": "dist/__init__.py,sha256=x,1\ntwo.py,,\n", site + "old.egg-info/top_level.txt": "old\n",
	})
	for at, want := range map[string]string{
		"plain/__init__.py": "rm -r .venv/lib/site-packages/plain && " + install, "one.py": "rm -r .venv/lib/site-packages/one.py && " + install,
		"two.py": install, "dist/__init__.py": install, "old/__init__.py": install,
	} {
		if got := mendCopy(root, adapter.Detection{}, ".venv/bin/python", filepath.Join(root, site, at)); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
	bare := fixture.Files(t, map[string]string{"sub/a.py": "", "site-packages/plain/__init__.py": ""})
	if got, want := mendCopy(bare, adapter.Detection{Dir: "sub"}, "python3", filepath.Join(bare, "site-packages/plain/__init__.py")), "cd sub && rm -r ../site-packages/plain"; got != want {
		t.Errorf("not installable: %s, want %s", got, want)
	}
}
