package place

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a killed process left is swept; what somebody lives in, or is not a
// workspace, stays.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	later := time.Now().Add(time.Hour)
	for name, text := range map[string]string{
		"qa-work-left/tree/readonly/file": "x", "qa-work-left/owner": "", "qa-work-before-locks/tree/x": "",
		"qa-work-alive/tree/x": "", "other/x": "", "qa-work-file": "", "outside/x": "",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
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
