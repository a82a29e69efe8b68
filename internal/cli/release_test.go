package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// ghCommand stands in for GitHub's program, which needs GitHub: it keeps what it is asked
// for, knows a release once it was made, and fails while there is a file "down".
const ghCommand = `#!/bin/sh
echo "$@" >> "$GH_ASKED"
[ "$2" = view ] && { [ -e "$GH_ASKED.made" ]; exit; }
[ -e "$GH_ASKED.down" ] && exit 1
touch "$GH_ASKED.made"
`

// TestReleaseCanBeRunAgain: a release that failed behind its tag is run again, moves no
// tag that names a version, and moves the floating ones last; programs that are other
// ones than the tag's end it.
func TestReleaseCanBeRunAgain(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs(filepath.Join("..", "..", ".github", "release.sh"))
	assert.NilError(t, err)
	r := fixture.Sources(t, "gotest")
	r.Write("action.yml", "runs:\n  image: docker://ghcr.io/org/qa-action:1\n")
	r.Write("host/release.txt", "")
	r.Write(".gitignore", "dist\n")
	r.Write("dist/checksums.txt", "aaaa qa_1.2.3_linux_amd64\n")
	head := r.Commit("one")
	origin, asked := filepath.Join(t.TempDir(), "origin"), filepath.Join(t.TempDir(), "asked")
	r.Git("init", "-q", "--bare", origin)
	r.Git("remote", "add", "origin", origin)
	bin := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(bin, "gh"), []byte(ghCommand), 0o755))

	release := func(version, digest string) (int, string) {
		r.Git("checkout", "-q", "--force", head)
		res, err := process.Run(t.Context(), process.Command{
			Argv: []string{"bash", script, version, "ghcr.io/org/qa-action", "sha256:" + strings.Repeat(digest, 64)}, Dir: r.Dir, Timeout: time.Minute,
			Env: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + r.Dir, "GH_ASKED=" + asked, "GIT_CONFIG_NOSYSTEM=1"},
		})
		assert.NilError(t, err)
		return res.ExitCode, string(res.Stdout) + string(res.Stderr)
	}
	tag := func(name string) string {
		at, _, _ := strings.Cut(r.Git("ls-remote", origin, "refs/tags/"+name), "\t")
		return at
	}

	assert.NilError(t, os.WriteFile(asked+".down", nil, 0o600))
	code, text := release("1.2.3", "a")
	assert.Assert(t, code != 0, text)
	first := tag("v1.2.3")
	assert.Assert(t, first != "" && tag("v1") == "", "the floating tag moves last")
	assert.NilError(t, os.Remove(asked+".down"))

	code, text = release("1.2.3", "b") // the image is another one after it was built again
	assert.Equal(t, code, 0, text)
	assert.Equal(t, tag("v1.2.3"), first)
	assert.Equal(t, tag("v1"), first)
	assert.Equal(t, tag("v1.2"), first)
	assert.Assert(t, strings.Contains(r.Git("show", first+":action.yml"), "qa-action:1.2.3@sha256:aaaa"))
	code, text = release("1.2.3", "b") // whole, and once more
	assert.Equal(t, code, 0, text)
	raw, err := os.ReadFile(asked)
	assert.NilError(t, err)
	assert.Equal(t, strings.Count(string(raw), "release create"), 2, "the failed one and the one that worked: %s", raw)

	r.Write("dist/checksums.txt", "bbbb qa_1.2.3_linux_amd64\n")
	code, text = release("1.2.3", "b")
	assert.Assert(t, code != 0 && strings.Contains(text, "other programs"), text)
	head = r.Commit("two")
	code, text = release("1.2.3", "b")
	assert.Assert(t, code != 0 && strings.Contains(text, "another commit"), text)
	code, text = release("1.2.4", "c")
	assert.Equal(t, code, 0, text)
	assert.Assert(t, tag("v1") == tag("v1.2.4") && tag("v1.2.3") == first)
}
