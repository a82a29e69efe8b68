package output

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// Only a directory of ours gets the rule that hides all that is in it.
func TestOnlyOurOwnDirectoryIsIgnored(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"new":                        {nil, "*\n"},
		"sessions":                   {[]string{"qa-full-1/session.json", "history/trend.json", "model-replies/x.json"}, "*\n"},
		"files of the user":          {[]string{"qa-full-1/session.json", "index.html"}, ""},
		"a directory of the user":    {[]string{"docs/index.md"}, ""},
		"the user has their own":     {[]string{".gitignore"}, "theirs"},
		"a name like one of session": {[]string{"qa-notes/readme"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, file := range c.files {
				assert.NilError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
				assert.NilError(t, os.WriteFile(filepath.Join(dir, file), []byte("theirs"), 0o600))
			}
			assert.NilError(t, At(dir).Ignore())
			got, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
			assert.Assert(t, err == nil || c.want == "")
			assert.Equal(t, string(got), c.want)
		})
	}
}
