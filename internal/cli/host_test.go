package cli

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/testsupport/runner"
)

// TestInstallOnTheHost runs host/install.sh as the composite action does,
// against a server that has the programs of a release.
func TestInstallOnTheHost(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "curl"} {
		if _, err := process.LookPath(program); err != nil {
			t.Skipf("the host action needs %s, which every runner has", program)
		}
	}
	script, err := os.ReadFile(filepath.Join("..", "..", "host", "install.sh"))
	assert.NilError(t, err)
	const program = "#!/bin/sh\necho qa 1.2.3\n"
	good := fmt.Sprintf("%x", sha256.Sum256([]byte(program)))
	line := func(sum, name string) string { return sum + "  " + name + "\n" }
	linux := line(good, "qa_1.2.3_linux_amd64")
	for name, c := range map[string]struct {
		release string
		env     []string
		down    bool // no server answers
		code    int
		want    string
	}{
		"good":               {linux + line(good, "qa_1.2.3_linux_arm64"), nil, false, 0, ""},
		"macOS":              {linux + line(good, "qa_1.2.3_darwin_arm64"), []string{"RUNNER_OS=macOS", "RUNNER_ARCH=ARM64"}, false, 0, ""},
		"windows":            {line(good, "qa_1.2.3_windows_amd64.exe"), []string{"RUNNER_OS=Windows"}, false, 0, ""},
		"wrong sum":          {line(strings.Repeat("0", 64), "qa_1.2.3_linux_amd64"), nil, false, 3, "expected " + strings.Repeat("0", 64) + "; it is not run"},
		"missing asset":      {line(good, "qa_9.9.9_linux_amd64"), nil, false, 3, "qa_9.9.9_linux_amd64 could not be downloaded"},
		"no network":         {linux, nil, true, 3, "could not be downloaded"},
		"other arch":         {linux, []string{"RUNNER_ARCH=ARM"}, false, 2, "no program for ARM"},
		"other system":       {linux, []string{"RUNNER_OS=Plan9"}, false, 2, "no program for Plan9"},
		"not in the release": {linux, []string{"RUNNER_ARCH=ARM64"}, false, 2, "not a release for linux/arm64; use a tag such as v1"},
		"no release":         {"# Written by the release workflow\n", nil, false, 2, "not a release for linux/amd64"},
		// A name that would leave the directory is not one of a program.
		"odd name": {line(good, "qa_1.2.3/../../x_linux_amd64"), nil, false, 2, "not a release"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := []string{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				asked = append(asked, req.URL.Path)
				if !strings.HasPrefix(req.URL.Path, "/v1.2.3/qa_1.2.3_") {
					http.NotFound(w, req)
					return
				}
				fmt.Fprint(w, program)
			}))
			defer server.Close()
			if c.down {
				server.Close()
			}
			dir := t.TempDir()
			temp, output := filepath.Join(dir, "temp"), filepath.Join(dir, "output")
			assert.NilError(t, os.Mkdir(temp, 0o755))
			for file, text := range map[string]string{"install.sh": string(script), "release.txt": c.release, "output": ""} {
				assert.NilError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
			}
			env := append([]string{"PATH=" + os.Getenv("PATH"), "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP=" + temp, "GITHUB_OUTPUT=" + output,
				"QA_RELEASES=" + server.URL, "NO_PROXY=*"}, c.env...)
			res, err := process.Run(t.Context(), process.Command{Argv: []string{"bash", filepath.Join(dir, "install.sh")}, Dir: dir, Env: env, Timeout: time.Minute})
			assert.NilError(t, err)
			text := string(res.Stdout) + string(res.Stderr)
			assert.Equal(t, res.ExitCode, c.code, text)
			raw, err := os.ReadFile(output)
			assert.NilError(t, err)
			outputs, err := runner.KeyValues(string(raw))
			assert.NilError(t, err)
			left, err := os.ReadDir(temp)
			assert.NilError(t, err)
			if c.code != 0 {
				log := runner.Parse(string(res.Stdout))
				assert.Equal(t, len(log.Annotations), 1, text)
				assert.Assert(t, strings.Contains(log.Annotations[0].Message, c.want), text)
				assert.Equal(t, len(outputs), 0)
				assert.Equal(t, len(left), 0, "something stays behind")
				return
			}
			assert.Equal(t, len(asked), 1)
			ran, err := process.Run(t.Context(), process.Command{Argv: []string{outputs["program"]}, Dir: dir, Timeout: time.Minute})
			assert.NilError(t, err)
			assert.Equal(t, string(ran.Stdout), "qa 1.2.3\n")
		})
	}
}
