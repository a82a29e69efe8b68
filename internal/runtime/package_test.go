package runtime

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each package is installed for itself, where it may be; and its setup commands run
// in it, where it is. One that nobody named and that cannot be installed stops no other.
func TestPackagesBesideTheDirectory(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm")
	}
	root, base := repo(t)
	lib := filepath.Join(t.TempDir(), "lib")
	put(t, lib, map[string]string{"package.json": `{"name":"lib","version":"1.0.0"}`, "index.js": "exports.version='1.0.0'\n"})
	for _, dir := range []string{"c", "a", "b"} {
		put(t, root, map[string]string{dir + "/package.json": `{"name":"` + dir + `","private":true,"dependencies":{"lib":"file:lib-1.0.0.tgz"}}`})
		npm(t, filepath.Join(root, dir), "pack", lib, "--offline")
		npm(t, filepath.Join(root, dir), "install", "--package-lock-only", "--offline")
	}
	if err := os.Remove(filepath.Join(root, "c", "lib-1.0.0.tgz")); err != nil {
		t.Fatal(err)
	}
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "packages")
	touch := [][]string{{"sh", "-c", "echo $0 > made", "x"}}
	w := open(t, Options{Root: root, Install: "never", Cache: reachableCache(t), Preparation: Preparation{Packages: []Package{
		{Dir: "c", Install: "auto", Found: true}, {Dir: "a", Install: "auto", Setup: touch}, {Dir: "b", Install: "never"},
	}}})
	for name, want := range map[string]bool{"a/node_modules/lib": true, "b/node_modules": false, "a/made": true, "made": false, "b/made": false} {
		if _, err := os.Stat(filepath.Join(w.Dir(), name)); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %t", name, err, want)
		}
	}
	if done := strings.Join(w.Prepared().Done, "\n"); !strings.Contains(done, "a/package-lock.json") {
		t.Errorf("nothing says that a was installed: %q", done)
	}
	if missing := w.Prepared().Missing; !strings.Contains(missing, "c/package-lock.json") {
		t.Errorf("nothing says that c could not be installed: %q", missing)
	}
	// Base has no such package, and is there all the same.
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
}
