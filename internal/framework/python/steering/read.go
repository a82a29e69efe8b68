package steering

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/framework/adapter"
)

// Files are where our programs write what they noted, beside other files of the run.
const Files = "trace/*-*.json"

// Read are the files of the tree that have a hand in what becomes of all tests.
func Read(root string, answers [][]byte) []string {
	out := map[string]bool{}
	for _, data := range answers {
		var files []string
		if json.Unmarshal(data, &files) != nil {
			continue
		}
		for _, at := range files {
			if rel, ok := adapter.BelowRoot(root, at); ok && !adapter.InPackages(rel) {
				out[rel] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(out))
}
