package formatter

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
)

func TestFormattersAreThoseOfTheProject(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		file  string
		want  []string
	}{
		"none":                  {map[string]string{"package.json": `{"name":"x"}`}, "src/a.test.ts", nil},
		"prettier":              {map[string]string{".prettierrc": "{}"}, "src/a.test.ts", []string{"prettier"}},
		"prettier, in package":  {map[string]string{"package.json": `{"prettier": {}}`}, "src/a.test.ts", []string{"prettier"}},
		"a dependency only":     {map[string]string{"package.json": `{"devDependencies": {"prettier": "3"}}`}, "src/a.test.ts", []string{"prettier"}},
		"of a package":          {map[string]string{"web/biome.json": "{}"}, "web/src/a.test.ts", []string{"biome lint", "biome"}},
		"of another package":    {map[string]string{"api/biome.json": "{}"}, "web/src/a.test.ts", nil},
		"of another language":   {map[string]string{".prettierrc": "{}"}, "test_a.py", nil},
		"ruff before black":     {map[string]string{"pyproject.toml": "[tool.black]\n[tool.ruff.format]\n"}, "tests/test_a.py", []string{"ruff check", "ruff", "black"}},
		"black":                 {map[string]string{"pyproject.toml": "[tool.black]\n"}, "tests/test_a.py", []string{"black"}},
		"linked configuration":  {map[string]string{"biome.json": "->/etc/passwd"}, "a.test.ts", nil},
		"biome before prettier": {map[string]string{".prettierrc": "{}", "biome.jsonc": "{}"}, "a.test.ts", []string{"biome lint", "biome", "prettier"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for file, text := range c.files {
				abs := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
					t.Fatal(err)
				}
				var err error
				if len(text) > 2 && text[:2] == "->" {
					err = os.Symlink(text[2:], abs)
				} else {
					err = os.WriteFile(abs, []byte(text), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			p := Project{Read: func(path string) ([]byte, error) { return rooted.ReadIn(root, path, 1<<20) }}
			var got []string
			for _, f := range language.Of(c.file).Formatters {
				if p.configured(f, c.file) {
					got = append(got, f.Name)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
