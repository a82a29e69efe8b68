package framework

import (
	"encoding/json"
	"path"
	"slices"

	"github.com/org/qa-action/internal/framework/folder"
)

// nxTargets reports whether a project.json below dir has one of the targets in
// place of a script.
func nxTargets(t *folder.Tree, dir string, targets []string) bool {
	return t.HoldsPath(dir, func(file string) bool {
		if path.Base(file) != "project.json" {
			return false
		}
		var c struct {
			Targets map[string]json.RawMessage `json:"targets"`
		}
		data, _ := t.Read(file)
		return json.Unmarshal(data, &c) != nil || // nx reads comments, too
			slices.ContainsFunc(targets, func(s string) bool { return c.Targets[s] != nil })
	})
}
