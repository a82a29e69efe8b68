package assurance

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// A test that would be kept is shown to the linters as it stands in the tree.
func TestUnclean(t *testing.T) {
	t.Parallel()
	tree := &stage{dir: t.TempDir()}
	ch := &Chain{Trees: Trees{Head: tree}}
	v := &Verdict{placed: []byte("bad")}
	v.Path = "a.test.ts"
	says := map[string][]string{"bad": {"E1", "E2"}}
	for _, want := range []string{"", "E1; and 1 more"} { // without linters, and with them
		got, err := trial{Chain: ch, v: v}.unclean(t.Context())
		assert.NilError(t, err)
		assert.Equal(t, got, want)
		ch.Lint = func(_ context.Context, file string, text []byte) []string {
			left, err := os.ReadFile(filepath.Join(tree.dir, file))
			assert.NilError(t, err)
			assert.Equal(t, string(left), string(text))
			return says[string(text)]
		}
	}
	ch.Format = func(context.Context, string, []byte) []byte { return []byte("mended") }
	got, err := trial{Chain: ch, v: v}.unclean(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, got, "", "it is looked at as it is delivered")
	ch.Format, v.placed = nil, []byte("good")
	got, err = trial{Chain: ch, v: v}.unclean(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, got, "")
}

// A candidate is held to its types where the project's tests are.
func TestMistyped(t *testing.T) {
	t.Parallel()
	const path, own, placed = "a.test.ts", "own", "own and the candidate"
	for name, c := range map[string]struct {
		says   map[string][]string // the checker, by the text of the file
		beside string              // another test file
		added  bool                // the test file is new
		want   string
	}{
		"right":                       {says: map[string][]string{}},
		"wrong":                       {says: map[string][]string{placed: {"TS1"}}, want: "TS1"},
		"wrong more than once":        {says: map[string][]string{placed: {"TS1", "TS2", "TS3"}}, want: "TS1; and 2 more"},
		"wrong before":                {says: map[string][]string{placed: {"TS1", "TS2"}, own: {"TS1"}}},
		"new file":                    {says: map[string][]string{placed: {"TS1"}}, added: true, want: "TS1"},
		"new file beside a right one": {says: map[string][]string{placed: {"TS1"}}, added: true, beside: "right", want: "TS1"},
		"new file beside a wrong one": {says: map[string][]string{placed: {"TS1"}, "bad": {"TS9"}}, added: true, beside: "bad"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := &stage{dir: t.TempDir()}
			assert.NilError(t, tree.Write(path, []byte(placed)))
			ch := &Chain{Trees: Trees{Head: tree, Read: func(string) ([]byte, error) {
				if c.added {
					return nil, fs.ErrNotExist
				}
				return []byte(own), nil
			}}}
			if c.beside != "" {
				ch.Beside = []string{"b.test.ts"}
				assert.NilError(t, tree.Write("b.test.ts", []byte(c.beside)))
			}
			ch.Types = func(_ context.Context, file string) []string {
				text, err := os.ReadFile(filepath.Join(tree.dir, file))
				assert.NilError(t, err)
				return c.says[string(text)]
			}
			v := &Verdict{placed: []byte(placed)}
			v.Path = path
			got, err := ch.mistyped(t.Context(), v)
			assert.NilError(t, err)
			assert.Equal(t, got, c.want)
			left, err := os.ReadFile(filepath.Join(tree.dir, path))
			assert.NilError(t, err)
			assert.Equal(t, string(left), placed)
		})
	}
}
