package session

import (
	"slices"
)

// What tests look at.

// Dropped counts entries that were too long or found the board full.
func (b *Board) Dropped() int { return b.dropped }

// Entries reads the board: the first entry of each identity, in order, and how
// many lines could not be used.
func (b *Board) Entries() (entries []discovery, malformed int, err error) {
	data, err := b.read()
	if err != nil {
		return nil, 0, err
	}
	entries, malformed = parseDiscoveries(data)
	return entries, malformed, nil
}

// Tasks are the rows as they stand, also where not yet written.
func (s *Session) Tasks() []Task { return slices.Clone(s.rows) }
