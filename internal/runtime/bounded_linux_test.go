package runtime

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/qa-action/internal/runtime/toolchain"
)

// A git configuration is read up to a bound. What lies beyond it may be a token, so
// the code is not run beside it.
func TestExposedByALargeConfiguration(t *testing.T) {
	root, _ := repo(t)
	w := open(t, Options{Root: root, Env: []string{"PATH=" + os.Getenv("PATH")}})
	w.box.Layers.Namespaces, w.box.Layers.Landlock = false, 0
	for _, dir := range []string{filepath.Dir(root), filepath.Dir(filepath.Dir(root))} { // the code's user comes as far as the file
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(root, ".git", "config")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(root, ".git", "more")
	for _, file := range []string{config, large} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if err := os.WriteFile(config, append(text, "[include]\n\tpath = more\n"...), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(large, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(file, 256<<20); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			found := w.box.Exposed(nil)
			runtime.ReadMemStats(&after)
			if read := after.TotalAlloc - before.TotalAlloc; read > 32<<20 {
				t.Errorf("%d MiB were read", read>>20)
			}
			if w.box.User != nil && !strings.Contains(found, ".git/config") {
				t.Errorf("exposed = %q", found)
			}
		})
	}
}

// A package that was installed can leave anything in the place of its manifest.
func TestManifestsOfPackagesAreRegularFiles(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w := open(t, Options{Root: root, Env: []string{"PATH=" + os.Getenv("PATH")}})
	dir := filepath.Join(w.Dir(), "node_modules", "a")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "package.json")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, lock := range []string{"package-lock.json", "node_modules/.package-lock.json"} {
		if err := os.WriteFile(filepath.Join(w.Dir(), lock), []byte(`{"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "1.0.0"}}}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan string, 1)
	go func() {
		if _, ok := nodeVersion(w.Dir(), ".", "a"); ok {
			done <- "a pipe has a version"
		}
		if toolchain.FitsNode(w.Dir(), "npm") {
			done <- "a pipe is an installed package"
		}
		done <- ""
	}()
	select {
	case wrong := <-done:
		if wrong != "" {
			t.Error(wrong)
		}
	case <-time.After(time.Minute):
		t.Error("a pipe is waited for")
		f, err := os.OpenFile(pipe, os.O_RDWR|syscall.O_NONBLOCK, 0) // lets it go on
		if err == nil {
			time.Sleep(time.Second)
			_ = f.Close()
		}
	}
}
