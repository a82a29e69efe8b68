package outline

import (
	"crypto/sha256"
	"sync"

	"github.com/org/qa-action/internal/qa"
)

// mostStored bounds what outlines of a [Store] may weigh together, in bytes by a guess that
// is too high for code that people wrote.
const mostStored = 256 << 20

// Store reads each text once. What it gives belongs to all who ask, and nobody may change
// it. The zero value is ready, and safe for concurrent use.
type Store struct {
	mu    sync.Mutex
	known map[text]func() (qa.Outline, error)
	held  int
}

// text is a file by its name, which tells its language, and the digest of what is in it.
type text struct {
	name   string
	digest [sha256.Size]byte
}

// Parse is [Parse]. Beyond the bound of the store texts are read as often as they are asked
// about.
func (s *Store) Parse(name string, src []byte) (qa.Outline, error) {
	key := text{name, sha256.Sum256(src)}
	s.mu.Lock()
	read, known := s.known[key]
	if !known {
		read = sync.OnceValues(func() (qa.Outline, error) {
			o, err := Parse(name, src)
			s.hold(key, weight(o, src))
			return o, err
		})
		if s.known == nil {
			s.known = map[text]func() (qa.Outline, error){}
		}
		s.known[key] = read
	}
	s.mu.Unlock()
	return read()
}

// hold counts an outline that was read, and forgets it where there is no room for it.
func (s *Store) hold(key text, weight int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held+weight > mostStored {
		delete(s.known, key)
		return
	}
	s.held += weight
}

// weight is what an outline takes at most: a function or an import of a few letters is a
// record of its own, and so is the name of a variable with its type.
func weight(o qa.Outline, src []byte) int {
	const record, word = 512, 16
	return record*(1+len(o.Functions)+len(o.Imports)) + word*len(src)
}
