package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	boardFile = "discoveries.ndjson"
	maxBoard  = 8 << 20 // bytes of the whole board
)

// discovery is one line of discoveries.ndjson.
type discovery struct {
	TS     string         `json:"ts"`     // RFC 3339, UTC
	Worker string         `json:"worker"` // task id
	Type   string         `json:"type"`
	Data   map[string]any `json:"data"`
}

// discoveryType says what an entry must tell and by what two of them are the
// same.
type discoveryType struct{ fields, key []string }

var discoveryTypes = map[string]discoveryType{
	"issue_found":        {[]string{"file", "line", "severity", "perspective", "description", "rule"}, []string{"file", "line", "rule"}},
	"framework_detected": {[]string{"framework", "config_file", "test_pattern", "dir"}, []string{"framework", "dir"}},
	"test_generated":     {[]string{"file", "source_file", "test_count"}, []string{"file"}},
	"defect_found":       {[]string{"file", "line", "pattern", "description", "rule"}, []string{"file", "line", "rule"}},
	"coverage_gap":       {[]string{"file", "current", "target", "gap"}, []string{"file"}},
	"convention_found":   {[]string{"pattern", "example_file", "description"}, []string{"pattern"}},
	"fix_applied":        {[]string{"test_file", "fix_type", "description"}, []string{"test_file", "fix_type"}},
	"quality_metric":     {[]string{"dimension", "score", "details"}, []string{"dimension"}},
}

// knownTypes lists the valid types.
func knownTypes() []string { return slices.Sorted(maps.Keys(discoveryTypes)) }

// identity is equal for two entries that tell the same.
func (d discovery) identity() (string, error) {
	kind, ok := discoveryTypes[d.Type]
	if !ok {
		return "", fmt.Errorf("unknown discovery type %q (valid: %s)", d.Type, strings.Join(knownTypes(), ", "))
	}
	for _, field := range kind.fields {
		if _, ok := d.Data[field]; !ok {
			return "", fmt.Errorf("discovery %s lacks %q (its data are %s)", d.Type, field, strings.Join(kind.fields, ", "))
		}
	}
	parts := []any{d.Type}
	for _, field := range kind.key {
		parts = append(parts, d.Data[field])
	}
	id, err := json.Marshal(parts)
	return string(id), err
}

// Board is discoveries.ndjson, what tasks tell each other.
type Board struct {
	ndjson
	seen map[string]bool
	size int
}

func newBoard(disk *disk, now func() time.Time) *Board {
	return &Board{ndjson: ndjson{disk, boardFile, now}, seen: map[string]bool{}}
}

// Add appends an entry. added is false when the board has one like it already,
// or is full.
func (b *Board) Add(worker, kind string, data map[string]any) (added bool, err error) {
	d := discovery{TS: stamp(b.now()), Worker: worker, Type: kind, Data: data}
	id, err := d.identity()
	if err != nil {
		return false, fmt.Errorf("put on board: %w", err)
	}
	if b.seen[id] {
		return false, nil
	}
	line, err := line(d)
	if err != nil {
		return false, fmt.Errorf("put on board: %w", err)
	}
	if !fits(line) || b.size+len(line) > maxBoard {
		return false, nil
	}
	if err := b.append(line); err != nil {
		return false, err
	}
	b.seen[id] = true
	b.size += len(line)
	return true, nil
}

// parseDiscoveries reads the lines of a board. Lines that are no entry of a
// known type are ignored.
func parseDiscoveries(data []byte) (entries []discovery) {
	seen := map[string]bool{}
	parseLines(data, func(d discovery) {
		if id, err := d.identity(); err == nil && !seen[id] {
			seen[id] = true
			entries = append(entries, d)
		}
	})
	return entries
}

// load reads what an earlier process left.
func (b *Board) load() error {
	data, err := b.read()
	if err != nil {
		return err
	}
	b.size = len(data)
	for _, d := range parseDiscoveries(data) {
		if id, err := d.identity(); err == nil {
			b.seen[id] = true
		}
	}
	return nil
}
