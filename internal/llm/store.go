package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/org/qa-action/internal/output"
)

// store keeps valid replies by the digest of their request, one file each:
// two directories of cache and recording are one when their files are put
// together.
type store struct{ out *output.Dir }

// digest identifies a request. The key of the endpoint has no part in it, and
// neither has its address: the same question to the same model is the same.
func digest(model string, s schema, messages []message, variant int) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	// Encoding plain strings and numbers into a hash cannot fail.
	_ = enc.Encode([]any{model, s.name, s.text, variant})
	_ = enc.Encode(messages)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

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
