package runtime

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/org/qa-action/internal/rooted"
)

// What a killed process left is swept; what somebody lives in, or is not a
// workspace, stays.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	later := time.Now().Add(time.Hour)
	put(t, dir, map[string]string{
		"qa-work-left/tree/readonly/file": "x", "qa-work-left/owner": "", "qa-work-before-locks/tree/x": "",
		"qa-work-alive/tree/x": "", "other/x": "", "qa-work-file": "", "outside/x": "",
	})
	if err := os.Chmod(filepath.Join(dir, "qa-work-left", "tree", "readonly"), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("outside", filepath.Join(dir, "qa-work-link")); err != nil {
		t.Fatal(err)
	}
	release, err := lockOwner(filepath.Join(dir, "qa-work-alive"))
	if err != nil {
		t.Fatal(err)
	}
	sweep(dir, time.Now())
	if _, err := os.Stat(filepath.Join(dir, "qa-work-left")); err != nil {
		t.Errorf("swept while it was young: %v", err)
	}
	sweep(dir, later)
	for name, want := range map[string]bool{"qa-work-left": false, "qa-work-before-locks": false, "qa-work-alive": true, "other": true,
		"qa-work-file": true, "qa-work-link": true, "outside/x": true} {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", name, err == nil, want)
		}
	}
	release()
	sweep(dir, later)
	if _, err := os.Stat(filepath.Join(dir, "qa-work-alive")); err == nil {
		t.Error("stays though its maker is gone")
	}
}

// A workflow saves the cache and brings it back as the runner's user.
func TestCacheChangesHands(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can hand files over")
	}
	temp, err := os.MkdirTemp("", "qa-runner-temp-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rooted.RemoveAll(temp) })
	runner := &user{uid: 1001, gid: 1001}
	put(t, temp, map[string]string{"qa-cache/layers/npm/x": "", "qa-cache/toolchains/node/bin/node": ""})
	if err := os.Chmod(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := ownAll(temp, runner); err != nil {
		t.Fatal(err)
	}
	root, _ := repo(t)
	w := open(t, Options{Root: root, Cache: filepath.Join(temp, "qa-cache")})
	run(t, w, "sh", "-c", `mkdir -p "$npm_config_cache" && echo y >> "$npm_config_cache/x"`)
	if res, err := w.Run(t.Context(), Command{Argv: []string{"touch", filepath.Join(temp, "qa-cache", "toolchains", "node", "planted"), filepath.Join(temp, "qa-cache", "layers", "npm", "x")}}); err != nil || res.ExitCode == 0 {
		t.Errorf("the code may write to what outlives the run: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(temp, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err != nil || !runner.owns(info) {
			t.Errorf("%s is not the runner's, %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
