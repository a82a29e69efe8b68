package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// checkKeys refuses keys that the Go type has no field for. yaml.v3's own
// KnownFields works on whole documents only and loses the line inside a node.
func checkKeys(node *yaml.Node, into any) error {
	t := reflect.TypeOf(into)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var valid []string
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("yaml"); key != "" && key != "-" {
			valid = append(valid, key)
		}
	}
	for _, entry := range node.Content {
		if entry.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(entry.Content); i += 2 {
			if key := entry.Content[i]; !slices.Contains(valid, key.Value) {
				return fmt.Errorf("%d: unknown key %q%s, expected one of %s", key.Line, key.Value, meant(key.Value, valid), strings.Join(valid, ", "))
			}
		}
	}
	return nil
}

// meant suggests the nearest valid word, when one is near.
func meant(word string, valid []string) string {
	best, distance := "", 3
	for _, v := range valid {
		if d := edits(word, v); d < distance {
			best, distance = v, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		previous := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := previous
			if a[i-1] != b[j-1] {
				cost = 1 + min(previous, row[j], row[j-1])
			}
			previous, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}
