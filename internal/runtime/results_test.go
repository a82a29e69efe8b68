package runtime

import (
	"os"
	"path/filepath"
	"testing"
)

// Where the results were exchanged for a link, nothing is read or written behind it.
func TestResultsExchanged(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w := open(t, Options{Root: root, Env: []string{"PATH=" + os.Getenv("PATH")}})
	outside := t.TempDir()
	put(t, outside, map[string]string{"junit.xml": "secret"})
	if err := os.Rename(w.Results(), w.Results()+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, w.Results()); err != nil {
		t.Fatal(err)
	}
	if results, err := w.ownRoot(w.Results()); err == nil {
		t.Errorf("opened behind a link: %s", results.Name())
	}
	if f, err := w.create(filepath.Join(w.Results(), "out")); err == nil {
		t.Errorf("written behind a link: %s", f.Name())
	}
}
