package recipe

import (
	"gopkg.in/yaml.v3"
)

// Taskfile reads the tasks of a Taskfile.yml. What a task has beside its commands, what it
// needs and words for people is for the tool alone.
func Taskfile(data []byte) Book {
	b := Book{Targets: map[string]Recipe{}, Vars: map[string]string{}, First: "default", Open: true} // there may be tasks of other files
	var file struct {
		Vars  map[string]any       `yaml:"vars"`
		Env   map[string]any       `yaml:"env"`
		Tasks map[string]yaml.Node `yaml:"tasks"`
		Own   map[string]any       `yaml:",inline"`
	}
	if yaml.Unmarshal(data, &file) != nil {
		b.Whole = true
		return b
	}
	b.Whole = len(file.Env) > 0 || file.Own["dotenv"] != nil || file.Own["set"] != nil || file.Own["shopt"] != nil
	for name, node := range file.Tasks {
		b.Targets[name] = taskOf(node)
	}
	return b
}

func taskOf(node yaml.Node) Recipe {
	var r Recipe
	task := map[string]yaml.Node{}
	switch node.Kind {
	case yaml.ScalarNode, yaml.SequenceNode:
		task["cmds"] = node
	default:
		r.Whole = node.Decode(&task) != nil
	}
	r.At = node.Line
	for key, value := range task {
		switch key {
		case "cmds", "cmd":
			r.commands(value)
		case "deps":
			r.needs(value)
		case "desc", "summary", "silent", "aliases", "internal", "prompt", "interactive", "prefix":
		default:
			r.Whole = true
		}
	}
	return r
}

func (r *Recipe) commands(node yaml.Node) {
	if node.Kind == yaml.ScalarNode {
		r.Lines = append(r.Lines, node.Value)
		return
	}
	for _, n := range node.Content {
		var c struct {
			Cmd    string         `yaml:"cmd"`
			Task   string         `yaml:"task"`
			Ignore bool           `yaml:"ignore_error"`
			Silent bool           `yaml:"silent"`
			Own    map[string]any `yaml:",inline"`
		}
		if n.Kind == yaml.ScalarNode {
			c.Cmd = n.Value
		} else if n.Decode(&c) != nil || len(c.Own) > 0 {
			r.Whole = true
		}
		if c.Task != "" {
			c.Cmd = "task " + c.Task
		}
		if c.Ignore {
			c.Cmd = "-" + c.Cmd
		}
		r.Lines = append(r.Lines, c.Cmd)
	}
}

func (r *Recipe) needs(node yaml.Node) {
	for _, n := range node.Content {
		var c struct {
			Task string         `yaml:"task"`
			Own  map[string]any `yaml:",inline"`
		}
		if n.Kind == yaml.ScalarNode {
			c.Task = n.Value
		} else if n.Decode(&c) != nil || len(c.Own) > 0 {
			r.Whole = true
		}
		r.Needs = append(r.Needs, c.Task)
	}
}
