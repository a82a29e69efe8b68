package framework

import (
	"encoding/json"
	"path"
	"slices"

	"github.com/org/qa-action/internal/framework/folder"
)

// nxTarget is one of a project.json, or of the part "nx" of a package.json.
type nxTarget struct {
	Executor string `json:"executor"`
	Command  any    `json:"command"`
}

// nxTargets reports whether a project.json or a package.json below dir has one of the
// targets in place of a script.
func nxTargets(t *folder.Tree, dir string, targets []string) bool {
	return t.HoldsPath(dir, func(file string) bool {
		switch data, _ := t.Read(file); path.Base(file) {
		case "project.json":
			var c struct {
				Targets map[string]json.RawMessage `json:"targets"`
			}
			return json.Unmarshal(data, &c) != nil || // nx reads comments, too
				slices.ContainsFunc(targets, func(s string) bool { return c.Targets[s] != nil })
		case "package.json":
			var c struct {
				NX struct {
					Targets map[string]nxTarget `json:"targets"`
				} `json:"nx"`
			}
			_ = json.Unmarshal(data, &c) // who reads its scripts says what is wrong with it
			return slices.ContainsFunc(targets, func(s string) bool {
				own := c.NX.Targets[s] // one without a command says something of the script of that name
				return own.Command != nil || own.Executor != "" && own.Executor != "nx:run-script"
			})
		}
		return false
	})
}
