package related

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
)

// TestLookShowsWhatGitKnows: a reply may ask for anything; source and test
// files that are part of the commit are all it gets.
func TestLookShowsWhatGitKnows(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"src/cart.ts":      "export class Cart {\n  total() {\n    return sum(1)\n  }\n}\n",
		"src/sum.ts":       "export function sum(n: number) {\n  return n\n}\nexport const LIMIT = 3\n\nexport type Line = { sku: string }\n",
		"src/generated.ts": "export const TOKEN = 'ignored by git'\nexport function hidden() {}\n",
		".env":             "KEY=secret",
		"deploy.key":       "secret",
		"src/big.ts":       "export function big() {\n" + strings.Repeat("  // padding padding padding\n", 2000) + "}\n",
		"src/long.ts":      "import { sum } from './sum'\nexport function first(n: number) {\n" + strings.Repeat("  // padding padding padding\n", 2000) + "}\nexport function last(text: string) {\n  return 1\n}\n",
	}
	o := checkout.Checkout{Root: t.TempDir(), Change: qa.Change{Head: "head", Files: []qa.FileChange{{Path: "src/cart.ts"}}}}
	for name, text := range files {
		abs := filepath.Join(o.Root, name)
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(abs, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(o.Root, "src", "link.ts")); err != nil {
		t.Fatal(err)
	}
	o.Content = func(_ context.Context, _, path string) ([]byte, error) {
		if text, ok := files[path]; ok && path != "src/generated.ts" {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	c := New(o)
	for ask, want := range map[string]string{
		"src/sum.ts":                            "export function sum",
		"./src/sum.ts":                          "export function sum",
		"sum":                                   "src/sum.ts\nexport function sum",
		"sum()":                                 "export function sum",
		"Cart.total":                            "return sum(1)",
		"src/cart.ts:Cart":                      "export class Cart",
		"LIMIT":                                 "export const LIMIT = 3",
		"src/long.ts":                           "import { sum } from './sum'\n… and its functions:\nexport function first(n: number)\nexport function last(text: string)",
		"src/cart.ts: class Cart (how it sums)": "export class Cart",
		"src/sum.ts: type Line":                 "export type Line",
		"src/sum.ts: function sum(n: number)":   "export function sum",
		"the constant `LIMIT`":                  "export const LIMIT = 3",
		"async total()":                         "return sum(1)",
		"Line":                                  "export type Line",
		"src/generated.ts":                      "",
		"hidden":                                "",
		"TOKEN":                                 "",
		".env":                                  "",
		"deploy.key":                            "",
		"../../../etc/passwd":                   "",
		"/etc/passwd":                           "",
		"src/link.ts":                           "",
		"":                                      "",
		"\x00":                                  "",
	} {
		got := c.Look(t.Context(), []string{ask})
		if want == "" {
			want = "not found, or not to be shown"
		}
		if !strings.Contains(got, want) || strings.Contains(got, "secret") || strings.Contains(got, "root:") || strings.Contains(got, "ignored by git") {
			t.Errorf("%q: got %q", ask, got)
		}
	}
	if got := c.Look(t.Context(), []string{"src/big.ts", "src/big.ts", "src/big.ts", "big"}); len(got) > shownLook+10 {
		t.Errorf("showed %d characters", len(got))
	}
}
