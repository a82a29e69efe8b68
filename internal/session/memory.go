package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const memoryFile = "shared-memory.json"

// owners says which role writes a field of shared-memory.json.
var owners = map[string]string{
	"discovered_issues":  "scout",
	"test_strategy":      "strategist",
	"generated_tests":    "generator",
	"execution_results":  "executor",
	"effective_patterns": "executor",
	"defect_patterns":    "analyst",
	"quality_score":      "analyst",
	"coverage_history":   "analyst",
}

// Memory is shared-memory.json, what roles leave for each other.
type Memory struct {
	disk   *disk
	fields map[string]any
}

// Remember sets a field of the shared memory, which only its owner may do.
// "field/key" sets one key of a field that holds an object, such as
// "execution_results/L1".
func (m *Memory) Remember(role, field string, value any) error {
	name, key, keyed := strings.Cut(field, "/")
	owner, ok := owners[name]
	if !ok {
		return fmt.Errorf("shared memory has no field %q (valid: %s)", name, strings.Join(slices.Sorted(maps.Keys(owners)), ", "))
	}
	if owner != role {
		return fmt.Errorf("shared memory: %s belongs to the %s, not to the %s", name, owner, role)
	}
	updated := maps.Clone(m.fields)
	if keyed {
		old, _ := m.fields[name].(map[string]any)
		object := maps.Clone(old)
		if object == nil {
			object = map[string]any{}
		}
		object[key] = value
		updated[name] = object
	} else {
		updated[name] = value
	}
	if err := m.disk.json(memoryFile, updated); err != nil {
		return err
	}
	m.fields = updated
	return nil
}

// load reads what an earlier process left.
func (m *Memory) load() error {
	if err := m.disk.unjson(memoryFile, &m.fields); err != nil {
		return err
	}
	if m.fields == nil {
		m.fields = map[string]any{}
	}
	return nil
}

// Recall reads a field of the shared memory into to, a pointer; false when it
// is not set.
func (m *Memory) Recall(field string, to any) (bool, error) {
	value, ok := m.fields[field]
	if !ok {
		return false, nil
	}
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		return false, fmt.Errorf("recall %s: %w", field, err)
	}
	return true, nil
}
