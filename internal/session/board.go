package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	boardFile = "discoveries.ndjson"
	maxBoard  = 8 << 20  // bytes of the whole board
	maxLine   = 16 << 10 // bytes of one entry
)

// Discovery is one line of discoveries.ndjson.
type Discovery struct {
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

// DiscoveryTypes lists the valid types.
func DiscoveryTypes() []string { return slices.Sorted(maps.Keys(discoveryTypes)) }

// identity is equal for two entries that tell the same.
func (d Discovery) identity() (string, error) {
	kind, ok := discoveryTypes[d.Type]
	if !ok {
		return "", fmt.Errorf("unknown discovery type %q (valid: %s)", d.Type, strings.Join(DiscoveryTypes(), ", "))
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

// board is what this process knows of the file.
type board struct {
	seen    map[string]bool
	size    int
	dropped int
}

func newBoard() board { return board{seen: map[string]bool{}} }

// Discover appends an entry to the board. added is false when the board has
// one like it already, or is full; the latter is counted, see
// [Session.DroppedDiscoveries].
func (s *Session) Discover(worker, kind string, data map[string]any) (added bool, err error) {
	d := Discovery{TS: stamp(s.now()), Worker: worker, Type: kind, Data: data}
	id, err := d.identity()
	if err != nil {
		return false, fmt.Errorf("put on board: %w", err)
	}
	if s.board.seen[id] {
		return false, nil
	}
	line, err := json.Marshal(d)
	if err != nil {
		return false, fmt.Errorf("put on board: %w", err)
	}
	if len(line) > maxLine || s.board.size+len(line)+1 > maxBoard {
		s.board.dropped++
		return false, nil
	}
	if err := s.disk.add(boardFile, append(line, '\n')); err != nil {
		return false, err
	}
	s.board.seen[id] = true
	s.board.size += len(line) + 1
	return true, nil
}

// DroppedDiscoveries counts entries that were too long or found the board full.
func (s *Session) DroppedDiscoveries() int { return s.board.dropped }

// Discoveries reads the board: the first entry of each identity, in order, and
// how many lines could not be used.
func (s *Session) Discoveries() (entries []Discovery, malformed int, err error) {
	data, err := s.disk.read(boardFile)
	if err != nil {
		return nil, 0, err
	}
	entries, malformed = ParseDiscoveries(data)
	return entries, malformed, nil
}

// ParseDiscoveries reads the lines of a board. Lines that are no entry of a
// known type are ignored and counted.
func ParseDiscoveries(data []byte) (entries []Discovery, malformed int) {
	seen := map[string]bool{}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var d Discovery
		if err := json.Unmarshal(line, &d); err != nil {
			malformed++
			continue
		}
		id, err := d.identity()
		if err != nil {
			malformed++
			continue
		}
		if !seen[id] {
			seen[id] = true
			entries = append(entries, d)
		}
	}
	return entries, malformed
}

func (s *Session) loadBoard() error {
	data, err := s.disk.read(boardFile)
	if err != nil {
		return err
	}
	s.board = newBoard()
	s.board.size = len(data)
	entries, _ := ParseDiscoveries(data)
	for _, d := range entries {
		if id, err := d.identity(); err == nil {
			s.board.seen[id] = true
		}
	}
	return nil
}
