package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestMistakesAreShown: a run that a mistake of the configuration ends leaves an
// error at its line, the result, a summary and a closed check run.
func TestMistakesAreShown(t *testing.T) {
	t.Parallel()
	push := func(s *step) {
		s.event("push", func(p map[string]any) {
			p["before"], p["after"], p["ref"] = s.base, s.env["GITHUB_SHA"], "refs/heads/main"
		})
	}
	for name, c := range map[string]struct {
		file, flag     string
		at             string // file:line
		says           string
		checks, checkd int
	}{
		"key":       {file: "mode: full\nno-such-key: true\n", at: ".github/qa.yml:2", says: `unknown key "no-such-key"`, checks: 1},
		"value":     {file: "repeat: often\n", at: ".github/qa.yml:1", says: `"often" is not a whole number`, checks: 1},
		"directory": {file: "working-directory: nowhere\n", says: `there is no directory "nowhere"`, checks: 1},
		"input":     {file: "{}\n", flag: "--repeat=often", says: `flag --repeat: "often"`, checks: 1},
		"flag":      {file: "{}\n", flag: "--no-such-flag", says: "no-such-flag"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStep(t, "green")
			push(s)
			assert.NilError(t, os.WriteFile(filepath.Join(s.workspace, ".github", "qa.yml"), []byte(c.file), 0o600))
			args := []string{"run"}
			if c.flag != "" {
				args = append(args, c.flag)
			}
			e := s.run(t.Context(), nil, args...)
			assert.Equal(t, e.code, exitUsage, e.text)
			assert.Equal(t, len(e.log.Annotations), 1, e.text)
			a := e.log.Annotations[0]
			assert.Equal(t, a.Level, "error")
			assert.Assert(t, strings.Contains(a.Message, c.says), a.Message)
			if c.at != "" {
				assert.Equal(t, a.Properties["file"]+":"+a.Properties["line"], c.at)
			}
			assert.Equal(t, len(s.server.Checks), c.checks)
			if c.checks == 0 {
				return
			}
			assert.Equal(t, e.outputs["result"], "INCONCLUSIVE")
			assert.Assert(t, strings.Contains(e.summary, "Not run"), e.summary)
			assert.Assert(t, strings.Contains(e.summary, strings.Split(c.says, `"`)[0]), e.summary)
			check := s.server.Checks[0]
			assert.Equal(t, check.Status+" "+check.Conclusion, "completed failure")
		})
	}
}
