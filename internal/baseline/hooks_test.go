package baseline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/targets"
)

// A change with a hand in what runs during the installation is never without a word;
// one that only has other packages is.
func TestHooksChanged(t *testing.T) {
	t.Parallel()
	const hook = `{"scripts": {"test": "mocha", "prepare": "node tools/make.cjs"}}`
	for name, c := range map[string]struct{ file, was, now, other, otherText, want string }{
		"a hook":                        {"package.json", `{}`, hook, "", "", "package.json"},
		"a hook above the target":       {"package.json", `{}`, hook, "sub/a.js", "", "package.json"},
		"what an old hook runs":         {"tools/make.cjs", "", "x", "package.json", hook, "tools/make.cjs"},
		"what a hook of setup.py loads": {"tools/x.py", "", "x", "setup.py", "from tools.x import y\n", "tools/x.py"},
		"a setup.py that writes":        {"setup.py", "setup()\n", "open('a', 'w')\nsetup()\n", "", "", "setup.py"},
		"packages":                      {"package.json", `{}`, `{"devDependencies": {"a": "1"}}`, "", "", ""},
		"the product":                   {"lib/a.js", "1", "2", "package.json", hook, ""},
	} {
		root := t.TempDir()
		for file, text := range map[string]string{c.file: c.now, c.other: c.otherText, "sub/b.js": ""} {
			if file != "" {
				assert.NilError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o755))
				assert.NilError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o644))
			}
		}
		files := []qa.FileChange{{Path: c.file, Status: qa.Modified}}
		b := &Baseline{Runs: []executor.Baseline{{}}, Found: targets.Found{Targets: []executor.Target{{Framework: adapter.Detection{Dir: "sub"}}}}}
		comparison{b: b, Options: Options{Checkout: checkout.Checkout{Root: root, Change: qa.Change{Base: "b", Files: files},
			Content: func(context.Context, string, string) ([]byte, error) { return []byte(c.was), nil }}}}.hooksChanged(t.Context())
		if got := b.Command; (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
