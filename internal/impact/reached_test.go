package impact

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// TestReached: of tests that did not run, those count that load what changed, or of
// which texts do not tell.
func TestReached(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"package.json": "{}", "README.md": "# x", "vitest.config.ts": "export default {}", ".git/x.ts": "",
		"src/view.ts": "import { deep } from './deep'\nexport const view = deep\n", "src/deep.ts": "export const deep = 1\n", "src/money.ts": "export const money = 1\n",
		"ui/view.test.ts": "import { view } from '../src/view'\n", "ui/odd.test.ts": "import(process.env.WHICH)\n", "node_modules/x/view.ts": "",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]string{
		"src/view.ts": "ui/odd.test.ts ui/view.test.ts", "src/deep.ts": "ui/odd.test.ts ui/view.test.ts", "src/money.ts": "ui/odd.test.ts",
		"README.md": "", "package.json": "ui/odd.test.ts ui/view.test.ts", "vitest.config.ts": "ui/odd.test.ts ui/view.test.ts", "data/rates.csv": "",
	} {
		kind := qa.KindSource
		switch filepath.Ext(file) {
		case ".md":
			kind = qa.KindDocs
		case ".csv", ".json":
			kind = qa.KindOther
		}
		got := Reached(root, []qa.FileChange{{Path: file, Status: qa.Modified, Kind: kind}}, []string{"ui/odd.test.ts", "ui/view.test.ts"})
		if strings.Join(got, " ") != want {
			t.Errorf("%s reaches %q, want %q", file, got, want)
		}
	}
}

// TestEarly: what a configuration names or imports is loaded before the tests, and what that
// loads in turn.
func TestEarly(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"vitest.config.ts": "import base from './config/base'\nexport default { ...base, test: { setupFiles: ['./test/setup.ts'] } }\n", "config/base.ts": "import './more'\n", "config/more.ts": "",
		"test/setup.ts": "import './helpers/matchers'\n", "test/helpers/matchers.ts": "", "test/helpers/asked.ts": "", "src/a.ts": "", "src/a.test.ts": "import '../test/helpers/asked'\n",
		"tools/on.mjs": "import './deep.mjs'\nregister('./hook.mjs', import.meta.url)\n", "tools/deep.mjs": "", "tools/hook.mjs": "import './below.mjs'\n", "tools/below.mjs": "",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	early, first, tested := Early(root, map[string][]string{".": {"./tools/on.mjs"}}, []string{"src/a.test.ts"})
	got := strings.Join(slices.Sorted(maps.Keys(early)), " ")
	if want := "config/base.ts config/more.ts test/helpers/matchers.ts test/setup.ts tools/below.mjs tools/deep.mjs tools/hook.mjs tools/on.mjs"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for name, want := range map[string]bool{"tools/below.mjs": true, "tools/deep.mjs": true, "config/base.ts": false, "test/setup.ts": false, "test/helpers/asked.ts": false} {
		if first(name) != want {
			t.Errorf("the words that start the runner have %s loaded first: %t", name, !want)
		}
		if want := name == "test/helpers/asked.ts"; tested(name) != want {
			t.Errorf("a test loads %s: %t", name, !want)
		}
	}
}
