package checkout

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// What a change intends is said by title, body, commits, changelog and its own
// tests, with a pull request and without one.
func TestSaid(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"CHANGELOG.md": "# 2.0\n- half rounds down\n# 1.0\n", "docs/guide.md": "half\n", "half.test.js": "test('a', () => {\n  expect(half(-3)).toBe(-2)\n})\n",
		"README.md": "x\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NilError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	one := func(path string, kind qa.Kind, line int) qa.FileChange {
		return qa.FileChange{Path: path, Kind: kind, Status: qa.Modified, Added: []qa.Range{{Start: line, End: line}}}
	}
	c := Checkout{Root: root, Change: qa.Change{Files: []qa.FileChange{
		one("CHANGELOG.md", qa.KindDocs, 2), one("docs/guide.md", qa.KindDocs, 1), one("half.test.js", qa.KindTest, 2), one("README.md", qa.KindDocs, 9),
		{Path: "NEWS", Kind: qa.KindDocs, Status: qa.Deleted, Added: []qa.Range{{Start: 1, End: 9}}},
	}}}
	c.Messages = func(context.Context) []string { return []string{"Round down\n\nBREAKING CHANGE: half(-3) is -2.", " "} }
	c.Change.Base = "b"
	c.Content = func(_ context.Context, _, path string) ([]byte, error) {
		return []byte(map[string]string{"README.md": "half rounds towards zero\nx\n", "docs/guide.md": "of guides\n"}[path]), nil
	}
	const docs = "\ndocs/guide.md:\n- of guides\n+ half\nREADME.md:\n- half rounds towards zero"
	assert.Equal(t, c.Said(t.Context()), "Commit: Round down\n\nBREAKING CHANGE: half(-3) is -2.\nCHANGELOG.md: - half rounds down"+docs)
	assert.Equal(t, c.Tested(), "half.test.js:\n  expect(half(-3)).toBe(-2)")

	// What the pull request says already is not said twice.
	c.Change.Title, c.Change.Body = "Round down", "For ledgers.\nBREAKING CHANGE:  half(-3) is -2."
	assert.Equal(t, c.Said(t.Context()), "Round down\nFor ledgers.\nBREAKING CHANGE:  half(-3) is -2.\nCHANGELOG.md: - half rounds down"+docs)
	c.Change.Body = strings.Repeat("é", 9000)
	assert.Assert(t, len(c.Said(t.Context())) <= saidMost)
	assert.Equal(t, Checkout{}.Said(t.Context())+Checkout{}.Tested(), "")
}

// TestUntested: what a change took out of its tests is told, without what only loads
// others, moved or stands there still.
func TestUntested(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "a.test.js"), []byte("import { half, other } from './a'\ntest('a', () => {\n    expect(half(4)).toBe(2)\n})\n"), 0o600))
	c := Checkout{Root: root, Change: qa.Change{Base: "b", Files: []qa.FileChange{
		{Path: "a.test.js", Kind: qa.KindTest, Status: qa.Modified}, {Path: "gone_test.go", Kind: qa.KindTest, Status: qa.Deleted}, {Path: "a.js", Kind: qa.KindSource, Status: qa.Modified},
	}}}
	c.Content = func(_ context.Context, _, path string) ([]byte, error) {
		return []byte(map[string]string{
			"a.test.js":    "import { half } from './a'\ntest('a', () => {\n  expect(half(4)).toBe(2)\n  expect(half(-3)).toBe(-2)\n})\n",
			"gone_test.go": "package a\n\nfunc TestB(t *testing.T) {\n\tb(t, 3)\n}\n",
			"a.js":         "gone(1, 2)\n",
		}[path]), nil
	}
	assert.Equal(t, c.Untested(t.Context()), "a.test.js:\n  expect(half(-3)).toBe(-2)\ngone_test.go:\nfunc TestB(t *testing.T) {\n\tb(t, 3)")
}

func TestChangelogNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"CHANGELOG.md": true, "changes.rst": true, "HISTORY": true, "docs/news.txt": true, ".changeset/brave-cats.md": true, "changelog.d/12.fix.md": true,
		"newsfragments/3.feature": true, "RELEASE_NOTES.md": true, "release-notes.md": true, "docs/changing.md": false, "newsletter.md": false, "a/changes.d/x/y.md": false,
	} {
		assert.Equal(t, changelog.MatchString(name), want, name)
	}
}
