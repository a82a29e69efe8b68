package assurance

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestElsewhereTakesEffect: a test that holds in one language and time zone only notices
// the other one, also where a job sets a language of its own.
func TestElsewhereTakesEffect(t *testing.T) {
	t.Parallel()
	for _, job := range [][]string{nil, {"LANG=en_US.UTF-8"}, {"LC_ALL=C.UTF-8"}} {
		for program, c := range map[string]struct{ code, want string }{
			"node":    {`process.stdout.write((1234.5).toLocaleString() + " " + new Date(1.6e12).getTimezoneOffset() / 60 + " é")`, "1.234,5 -14 é"},
			"python3": {`import sys, time; print(time.localtime(86400 * 365 * 30).tm_hour, sys.getfilesystemencoding(), open("/dev/null").encoding.lower())`, "14 utf-8 utf-8"},
		} {
			run := exec.Command(program, map[string]string{"node": "-e", "python3": "-c"}[program], c.code)
			run.Env = slices.Concat([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, job, elsewhere)
			out, err := run.Output() // shells say on the other stream that they lack the language
			assert.NilError(t, err, "%s", out)
			assert.Equal(t, strings.TrimSpace(string(out)), c.want, "%s with %v", program, job)
		}
	}
}
