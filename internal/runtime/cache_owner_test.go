package runtime

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/user"
)

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
	runner := &user.User{UID: 1001, GID: 1001}
	put(t, temp, map[string]string{"qa-cache/layers/npm/x": "", "qa-cache/toolchains/node/bin/node": ""})
	if err := os.Chmod(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := user.OwnAll(temp, runner); err != nil {
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
		if info, err := d.Info(); err != nil || !runner.Owns(info) {
			t.Errorf("%s is not the runner's, %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
