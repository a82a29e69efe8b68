package framework

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/folder"
)

// nxTargets reports whether a project.json below dir has one of the targets in
// place of a script.
func nxTargets(t *folder.Tree, dir string, targets []string) bool {
	queue, seen := []string{dir}, 0
	for len(queue) > 0 && seen < folder.MaxFolders {
		at := queue[0]
		queue = queue[1:]
		seen++
		for _, e := range t.List(at) {
			switch name := e.Name(); {
			case e.IsDir() && !folder.Skipped(name) && !strings.HasPrefix(name, "."):
				queue = append(queue, path.Join(at, name))
			case name == "project.json":
				var c struct {
					Targets map[string]json.RawMessage `json:"targets"`
				}
				data, _ := t.Read(path.Join(at, name))
				if json.Unmarshal(data, &c) != nil { // nx reads comments, too
					return true
				}
				if slices.ContainsFunc(targets, func(s string) bool { return c.Targets[s] != nil }) {
					return true
				}
			}
		}
	}
	return false
}
