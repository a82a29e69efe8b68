package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/scan/engine"
)

func TestFindingsAreThoseOfTheDirectoriesAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		within []string
		want   map[string]string // what is skipped
	}{
		"everything":        {nil, map[string]string{}},
		"the root":          {[]string{"."}, map[string]string{}},
		"one package":       {[]string{"packages/a"}, map[string]string{"root.js": engine.Outside, "packages/ab/x.js": engine.Outside, "packages/b/x.js": engine.Outside}},
		"two packages":      {[]string{"packages/a", "packages/b"}, map[string]string{"root.js": engine.Outside, "packages/ab/x.js": engine.Outside}},
		"nothing is in it":  {[]string{"apps"}, map[string]string{"root.js": engine.Outside, "packages/a/x.js": engine.Outside, "packages/ab/x.js": engine.Outside, "packages/b/x.js": engine.Outside}},
		"the root and more": {[]string{"packages/a", "."}, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			files := []string{"root.js", "packages/a/x.js", "packages/ab/x.js", "packages/b/x.js"}
			for _, f := range files {
				write(t, root, f, "export const same = (x) => x === NaN;\n")
			}
			req := request(t, root)
			req.Within, req.Engines = c.within, []string{"esbuild"}
			res, err := Run(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, res.Skipped); d != "" {
				t.Error(d)
			}
			if len(res.Findings) != len(files)-len(c.want) {
				t.Errorf("%+v", res.Findings)
			}
		})
	}
}
