package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Clone is where the clone of a public repository lies below dir: owner+name or
// name, with or without a working tree. The error says how to get it.
func Clone(dir, repository string) (string, error) {
	full := strings.Replace(repository, "/", "+", 1)
	for _, name := range []string{full, filepath.Base(repository)} {
		for _, place := range []string{filepath.Join(dir, name, "repo"), filepath.Join(dir, name)} {
			for _, sign := range []string{".git", "HEAD"} {
				if _, err := os.Stat(filepath.Join(place, sign)); err == nil {
					return place, nil
				}
			}
		}
	}
	return "", fmt.Errorf("no clone of %s in %q: git clone --bare https://github.com/%s %s", repository, dir, repository, filepath.Join(dir, full))
}
