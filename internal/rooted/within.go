package rooted

import "path/filepath"

// Within gives path relative to dir when it lies in it, by the names alone.
func Within(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}
