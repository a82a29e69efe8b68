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

// Remember sets a field of the shared memory, which only its owner may do.
// "field/key" sets one key of a field that holds an object, such as
// "execution_results/L1".
func (s *Session) Remember(role, field string, value any) error {
	name, key, keyed := strings.Cut(field, "/")
	owner, ok := owners[name]
	if !ok {
		return fmt.Errorf("shared memory has no field %q (valid: %s)", name, strings.Join(slices.Sorted(maps.Keys(owners)), ", "))
	}
	if owner != role {
		return fmt.Errorf("shared memory: %s belongs to the %s, not to the %s", name, owner, role)
	}
	updated := maps.Clone(s.memory)
	if keyed {
		old, _ := s.memory[name].(map[string]any)
		object := maps.Clone(old)
		if object == nil {
			object = map[string]any{}
		}
		object[key] = value
		updated[name] = object
	} else {
		updated[name] = value
	}
	previous := s.memory
	s.memory = updated
	if err := s.saveMemory(); err != nil {
		s.memory = previous
		return err
	}
	return nil
}

// Recall reads a field of the shared memory into to, a pointer; false when it
// is not set.
func (s *Session) Recall(field string, to any) (bool, error) {
	value, ok := s.memory[field]
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

func (s *Session) saveMemory() error { return s.saveJSON(memoryFile, s.memory) }
func (s *Session) saveMeta() error   { return s.saveJSON(metaFile, s.meta) }
func (s *Session) saveRounds() error { return s.saveJSON(roundsFile, s.rounds) }

func (s *Session) saveJSON(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return s.disk.write(name, append(data, '\n'))
}

func (s *Session) saveTasks() error {
	data, err := EncodeTasks(s.tasks)
	if err != nil {
		return err
	}
	return s.disk.write(tasksFile, data)
}
