package toolchain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
)

// ScriptVariables are what npm tells the commands of a script about it and about its
// package. Other package managers say the same of a name, a version and the script.
func ScriptVariables(fsys fs.FS, dir, script string) []string {
	command := "run-script"
	if script == "test" {
		command = "test"
	}
	env := []string{"npm_command=" + command, "npm_lifecycle_event=" + script}
	data, err := fs.ReadFile(fsys, path.Join(".", dir, "package.json"))
	if err != nil {
		return env
	}
	var p struct {
		Name    any               `json:"name"`
		Version any               `json:"version"`
		Config  any               `json:"config"`
		Engines any               `json:"engines"`
		Scripts map[string]string `json:"scripts"`
	}
	numbers := json.NewDecoder(bytes.NewReader(data))
	numbers.UseNumber() // a port of 65536 is no 65536.0
	if numbers.Decode(&p) != nil {
		return env
	}
	env = append(env, "npm_lifecycle_script="+p.Scripts[script])
	for name, value := range map[string]any{"name": p.Name, "version": p.Version, "config": p.Config, "engines": p.Engines} {
		env = told(env, "npm_package_"+name, value)
	}
	return env
}

// told adds a value of package.json, and of a list or an object all that is in it.
func told(env []string, name string, value any) []string {
	switch v := value.(type) {
	case nil:
		return env
	case map[string]any:
		for key, inner := range v {
			if inner == nil {
				inner = false
			}
			env = told(env, name+"_"+key, inner)
		}
		return env
	case []any:
		for i, inner := range v {
			env = told(env, fmt.Sprintf("%s_%d", name, i), inner)
		}
		return env
	case bool:
		if !v {
			return append(env, name+"=")
		}
	}
	return append(env, fmt.Sprintf("%s=%v", name, value))
}
