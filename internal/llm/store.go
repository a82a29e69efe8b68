package llm

import (
	"encoding/json"
	"fmt"

	"github.com/org/qa-action/internal/output"
)

// store keeps valid replies by the digest of their request, one file each:
// two directories of cache and recording are one when their files are put
// together.
type store struct{ out *output.Dir }

// maxReply bounds one reply that is read back.
const maxReply = 16 << 20

func (s store) get(key string) (json.RawMessage, bool) {
	if s.out == nil {
		return nil, false
	}
	raw, err := s.out.Read(key+".json", maxReply)
	if err != nil || !json.Valid(raw) {
		return nil, false
	}
	return raw, true
}

// put writes atomically: a killed run leaves whole replies only.
func (s store) put(key string, reply json.RawMessage) error {
	if s.out == nil {
		return nil
	}
	if err := s.out.Write(key+".json", reply); err != nil {
		return fmt.Errorf("keep model reply: %w", err)
	}
	return nil
}
