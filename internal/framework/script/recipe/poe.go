package recipe

import (
	"github.com/pelletier/go-toml/v2"
)

// Poe reads the tasks that poethepoet finds in a pyproject.toml.
func Poe(data []byte) Book {
	b := Book{Targets: map[string]Recipe{}, Vars: map[string]string{}, Open: true} // there may be tasks of other files
	var file struct {
		Tool struct {
			Poe struct {
				Tasks map[string]any `toml:"tasks"`
				Env   map[string]any `toml:"env"`
			} `toml:"poe"`
		} `toml:"tool"`
	}
	if toml.Unmarshal(data, &file) != nil {
		b.Whole = true
		return b
	}
	b.Whole = len(file.Tool.Poe.Env) > 0
	for name, task := range file.Tool.Poe.Tasks {
		var r Recipe
		r.poe(task, false)
		b.Targets[name] = r
	}
	return b
}

// poe adds what a task runs; a text in a list is the name of another one.
func (r *Recipe) poe(task any, listed bool) {
	switch t := task.(type) {
	case string:
		if listed {
			t = "poe " + t
		}
		r.Lines = append(r.Lines, t)
	case []any:
		for _, part := range t {
			r.poe(part, true)
		}
	case map[string]any:
		for key, value := range t {
			switch key {
			case "cmd", "shell", "sequence":
				r.poe(value, false)
			case "ref":
				r.poe(value, true)
			case "deps":
				list, _ := value.([]any)
				for _, n := range list {
					name, _ := n.(string)
					r.Needs = append(r.Needs, name)
				}
			case "help":
			default:
				r.Whole = true
			}
		}
	default:
		r.Whole = true
	}
}
