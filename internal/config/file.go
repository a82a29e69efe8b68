package config

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxFile bounds a config file; a larger one is refused.
const maxFile = 1 << 20

// file is the content of a config file: inputs by name and what has no flag.
type file struct {
	inputs       map[string]value
	targets      []Target
	exclude      []string
	engines      []Linter
	instructions []Instruction
	quarantine   []Quarantine
	prices       map[string]Price
}

// extraKeys are the keys that only the config file has.
var extraKeys = []string{"targets", "exclude", "engines", "instructions", "quarantine", "prices"}

// FileKeys are the keys that only the config file has.
func FileKeys() []string { return slices.Clone(extraKeys) }

// secretInputs may not stand in a file that is committed.
var secretInputs = []string{"github-token", "model-api-key"}

// parseFile reads a config file; it returns what it could read and every
// problem with its line.
func parseFile(raw []byte, name string) (file, []error) {
	f := file{inputs: map[string]value{}}
	if len(raw) > maxFile {
		return f, []error{fmt.Errorf("%s: %d bytes, expected at most %d", name, len(raw), maxFile)}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return f, []error{fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))}
	}
	if len(doc.Content) == 0 {
		return f, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return f, []error{fmt.Errorf("%s:%d: expected keys and values", name, root.Line)}
	}
	var problems []error
	seen := map[string]int{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, node := root.Content[i], root.Content[i+1]
		at := fmt.Sprintf("%s:%d", name, key.Line)
		if first, twice := seen[key.Value]; twice {
			problems = append(problems, fmt.Errorf("%s: key %q stands twice, first on line %d", at, key.Value, first))
			continue
		}
		seen[key.Value] = key.Line
		if err := f.set(key.Value, node, at, name); err != nil {
			problems = append(problems, err)
		}
	}
	return f, problems
}

func (f *file) set(key string, node *yaml.Node, at, name string) error {
	switch key {
	case "targets":
		return decode(node, &f.targets, name)
	case "exclude":
		return decode(node, &f.exclude, name)
	case "engines":
		return decode(node, &f.engines, name)
	case "instructions":
		return decode(node, &f.instructions, name)
	case "quarantine":
		return decode(node, &f.quarantine, name)
	case "prices":
		return decode(node, &f.prices, name)
	}
	if !slices.Contains(Names(), key) {
		valid := append(Names(), extraKeys...)
		return fmt.Errorf("%s: unknown key %q%s, expected one of %s", at, key, meant(key, valid), strings.Join(valid, ", "))
	}
	if slices.Contains(secretInputs, key) {
		return fmt.Errorf("%s: %s is a secret and must not stand in a file; pass it as an input from secrets", at, key)
	}
	text, err := scalar(node)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", at, key, err)
	}
	f.inputs[key] = value{text: text, where: fmt.Sprintf("%s: %s", at, key)}
	return nil
}

// scalar gives a node's text; a list is joined by commas, a map (coverage
// targets) becomes k=v pairs.
func scalar(node *yaml.Node) (string, error) {
	switch node.Kind {
	case yaml.ScalarNode:
		return node.Value, nil
	case yaml.SequenceNode, yaml.MappingNode:
		var parts []string
		for _, n := range node.Content {
			if n.Kind != yaml.ScalarNode {
				return "", fmt.Errorf("line %d: expected plain values", n.Line)
			}
			parts = append(parts, n.Value)
		}
		if node.Kind == yaml.SequenceNode {
			return strings.Join(parts, ","), nil
		}
		var pairs []string
		for pair := range slices.Chunk(parts, 2) {
			pairs = append(pairs, strings.Join(pair, "="))
		}
		return strings.Join(pairs, ","), nil
	}
	return "", fmt.Errorf("line %d: expected a plain value", node.Line)
}

// decode is a strict decode of one key's value: unknown keys inside it are
// errors with their line in the file.
func decode(node *yaml.Node, into any, name string) error {
	if err := checkKeys(node, into); err != nil {
		return fmt.Errorf("%s:%w", name, err)
	}
	if err := node.Decode(into); err != nil {
		return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return nil
}
