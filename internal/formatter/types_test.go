package formatter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestTypes asks the TypeScript compiler that a sample project has installed; each
// folder is a project of its own.
func TestTypes(t *testing.T) {
	t.Parallel()
	const (
		wrong = "import { half } from './half'\n\nconst n: string = half(2)\nexport const all = [n, half('four')]\n"
		right = "import { half } from './half'\n\nexport const n: number = half(2)\n"
		base  = `"strict": true, "types": [], "lib": ["es2022"], "module": "esnext", "moduleResolution": "bundler"`
		plain = `{"compilerOptions": {` + base + `}, "include": ["ts"]}`
	)
	repo := fixture.New(t, "tap")
	cases := []struct {
		folder string
		files  map[string]string
		test   string
		want   []string
		err    string
	}{
		{"without-configuration", nil, wrong, nil, ""},
		{"errors", map[string]string{"tsconfig.json": plain}, wrong, []string{
			"TS2322, at \"const n: string = half(2)\": Type 'number' is not assignable",
			"TS2345, at \"export const all = [n, half('four')]\": Argument of type 'string'",
		}, ""},
		{"errors-of-others", map[string]string{"tsconfig.json": plain, "ts/other.test.ts": wrong}, right, nil, ""},
		{"tests-left-out", map[string]string{"tsconfig.json": strings.Replace(plain, "]}", `], "exclude": ["**/*.test.ts"]}`, 1)}, wrong, nil, ""},
		{"nearest-counts", map[string]string{"tsconfig.json": `{"files": []}`, "ts/tsconfig.json": `{"compilerOptions": {"composite": true, ` + base + `}}`}, wrong, []string{"TS2322", "TS2345"}, ""},
		{"unknown-option", map[string]string{"tsconfig.json": strings.Replace(plain, `"strict"`, `"modul": "esnext", "strict"`, 1)}, wrong, []string{"TS2322", "TS2345"}, ""},
		{"nothing-to-look-at", map[string]string{"tsconfig.json": `{"compilerOptions": {}, "include": ["nothing"]}`}, wrong, nil, "error TS18003"},
		{"referred-to", map[string]string{
			"tsconfig.json":     "{\n  // points to others\n  \"files\": [], \"references\": [{ \"path\": \"./tsconfig.app.json\" }, { \"path\": \"./ts.json\" }]\n}",
			"tsconfig.app.json": `{"compilerOptions": {"composite": true, ` + base + `}, "include": ["app"]}`, "app/a.ts": "export const a = 1\n",
			"ts.json": `{"compilerOptions": {"composite": true, ` + base + `}, "include": ["ts"]}`,
		}, wrong, []string{"TS2322", "TS2345"}, ""},
	}
	for _, c := range cases {
		for file, text := range c.files {
			repo.Write(c.folder+"/"+file, text)
		}
		repo.Write(c.folder+"/ts/half.ts", "export function half(n: number): number {\n  return n / 2\n}\n")
		repo.Write(c.folder+"/ts/half.test.ts", c.test)
	}
	repo.Commit("types")
	copied, err := runtime.Open(t.Context(), runtime.Options{Driver: "host", Root: repo.Dir, Cache: t.TempDir(), Install: "never"})
	assert.NilError(t, err)
	t.Cleanup(func() { assert.Check(t, copied.Close()) })
	before, err := copied.Digest(t.Context())
	assert.NilError(t, err)
	p := Project{Copy: copied, Read: func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(repo.Dir, name)) }}
	for _, c := range cases {
		got, err := p.Types(t.Context(), c.folder+"/ts/half.test.ts")
		if c.err != "" {
			assert.ErrorContains(t, err, c.err)
			continue
		}
		assert.NilError(t, err, c.folder)
		assert.Equal(t, len(got), len(c.want), "%s: %q", c.folder, got)
		for i, want := range c.want {
			assert.Assert(t, strings.HasPrefix(got[i], want), got[i])
		}
	}
	after, err := copied.Digest(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, len(before.Changed(after)), 0, "the checker left something behind: %q", before.Changed(after))
}
