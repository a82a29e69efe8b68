package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/rooted"
)

// PackageDigests reads installed files of a tree by their names as in
// [Tree.PackageStamps]. One that is gone, is no file or cannot be read has an empty digest.
func PackageDigests(tree string, names []string) map[string]string {
	home, err := os.OpenRoot(filepath.Dir(tree))
	if err != nil || len(names) == 0 {
		return nil
	}
	defer func() { _ = home.Close() }()
	out := map[string]string{}
	for _, name := range names {
		f, _, err := rooted.Open(home, filepath.ToSlash(filepath.Join(filepath.Base(tree), name)))
		if err != nil {
			out[name] = ""
			continue
		}
		h := sha256.New()
		if _, err := io.Copy(h, f); err == nil {
			out[name] = hex.EncodeToString(h.Sum(nil))
		}
		_ = f.Close() // only read
	}
	return out
}
