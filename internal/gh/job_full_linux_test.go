package gh

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"
)

// TestFullCommandFiles: what does not fit into the runner's files is an error, and
// nothing of it stays there, because the runner refuses a file that ends in the
// middle of a value.
func TestFullCommandFiles(t *testing.T) {
	t.Parallel()
	device := NewJob(func(name string) string {
		return map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": "/dev/full", "GITHUB_STEP_SUMMARY": "/dev/full"}[name]
	}, io.Discard)
	assert.ErrorContains(t, device.Outputs(map[string]string{"result": "PASS"}), "no space left on device")
	assert.ErrorContains(t, device.Summary("# QA"), "no space left on device")

	disk := t.TempDir()
	if err := unix.Mount("none", disk, "tmpfs", 0, "size=4k"); err != nil {
		t.Skip("no disk can be mounted here:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	// One page has room for a beginning.
	for name, earlier := range map[string]string{"output": "a=" + strings.Repeat("x", 4000) + "\n", "summary": strings.Repeat("x", 4000) + "\n"} {
		file := filepath.Join(disk, name)
		assert.NilError(t, os.WriteFile(file, []byte(earlier), 0o600))
		job := NewJob(func(name string) string {
			return map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": file, "GITHUB_STEP_SUMMARY": file}[name]
		}, io.Discard)
		write := func() error { return job.Outputs(map[string]string{"result": strings.Repeat("PASS", 100)}) }
		if name == "summary" {
			write = func() error { return job.Summary(strings.Repeat("PASS", 100)) }
		}
		assert.ErrorContains(t, write(), "no space left on device")
		data, err := os.ReadFile(file)
		assert.NilError(t, err)
		assert.Equal(t, string(data), earlier)
		assert.NilError(t, os.Remove(file))
	}
}
