package session

import (
	"slices"
)

// What tests look at.

// Entries reads the board: the first entry of each identity, in order.
func (b *Board) Entries() ([]discovery, error) {
	data, err := b.read()
	return parseDiscoveries(data), err
}

// Tasks are the rows as they stand, also where not yet written.
func (s *Session) Tasks() []Task { return slices.Clone(s.rows) }
