package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// store keeps valid replies by the digest of their request, one file each:
// two directories of cache and recording are one when their files are put
// together.
type store struct{ dir string }

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

func (s store) get(key string) (json.RawMessage, bool) {
	if s.dir == "" {
		return nil, false
	}
	raw, err := os.ReadFile(filepath.Join(s.dir, key+".json"))
	if err != nil || !json.Valid(raw) {
		return nil, false
	}
	return raw, true
}

// put writes atomically: a killed run leaves whole replies only.
func (s store) put(key string, reply json.RawMessage) error {
	if s.dir == "" {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("keep model reply: %w", err)
	}
	tmp, err := os.CreateTemp(s.dir, key+".*")
	if err != nil {
		return fmt.Errorf("keep model reply: %w", err)
	}
	_, err = tmp.Write(reply)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(s.dir, key+".json"))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep model reply: %w", err), os.Remove(tmp.Name()))
	}
	return nil
}
