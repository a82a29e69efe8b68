package ci

import (
	"fmt"
	"path"
	"strings"

	"gopkg.in/yaml.v3"
)

// at follows an alias to what it stands for; one that leads to aliases only, or to
// itself, is nothing.
func at(n *yaml.Node) *yaml.Node {
	for range 8 {
		if n == nil || n.Kind != yaml.AliasNode {
			return n
		}
		n = n.Alias
	}
	return nil
}

// field is the value of a key of a mapping, nil when there is none.
func field(n *yaml.Node, names ...string) *yaml.Node {
	for _, name := range names {
		n = at(n)
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		var found *yaml.Node
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				found = n.Content[i+1]
			}
		}
		n = found
	}
	return at(n)
}

// text is a scalar.
func text(n *yaml.Node) string {
	if n = at(n); n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// items are those of a sequence; a scalar is one.
func items(n *yaml.Node) []*yaml.Node {
	switch n = at(n); {
	case n == nil:
		return nil
	case n.Kind == yaml.SequenceNode:
		return n.Content
	case n.Kind == yaml.ScalarNode:
		return []*yaml.Node{n}
	}
	return nil
}

// pairs calls what for the entries of a mapping.
func pairs(n *yaml.Node, what func(key string, k, v *yaml.Node)) {
	n = at(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		what(n.Content[i].Value, n.Content[i], at(n.Content[i+1]))
	}
}

// readFile reads one workflow; why says why nothing is known of it.
func readFile(name string, data []byte, has Has) (jobs []Job, why string) {
	if len(data) > maxFile {
		return nil, fmt.Sprintf("is larger than %d KiB and was not read", maxFile>>10)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Sprintf("is no YAML: %.200s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return nil, ""
	}
	top := doc.Content[0]
	n := 0
	pairs(field(top, "jobs"), func(id string, k, v *yaml.Node) {
		if n++; n > maxJobs || v == nil {
			return
		}
		r := jobReader{file: name, name: path.Base(name), has: has, top: top, node: v}
		if job := r.read(id, k.Line); job.firstTest() >= 0 {
			job.Rows = r.rows(id)
			jobs = append(jobs, job)
		}
	})
	return jobs, ""
}
