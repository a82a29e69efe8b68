package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Exchange is one request, as it was sent but for what stood aside, and its reply.
type Exchange struct {
	Job     string `json:"job"`
	Variant int    `json:"variant"`
	Model   string `json:"model"`
	// Schema is the JSON schema of the reply.
	Schema string `json:"schema"`
	System string `json:"system"`
	Prompt string `json:"prompt"`
	// Reply is empty for a request that was to be replayed and is not recorded.
	Reply json.RawMessage `json:"reply,omitempty"`
}

// messages are those that are sent, with what stands aside of the question.
func (e Exchange) messages(aside string) []message {
	return []message{{"system", e.System}, {"user", e.Prompt + aside}}
}

// Digest identifies the request. The key of the endpoint has no part in it, and
// neither has its address: the same question to the same model is the same.
func (e Exchange) Digest() string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	// Encoding plain strings and numbers into a hash cannot fail.
	_ = enc.Encode([]any{e.Model, name(e.Job), e.Schema, e.Variant})
	_ = enc.Encode(e.messages(""))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// record writes a request down where it was asked for.
func (c *Client) record(e Exchange, reply json.RawMessage) error {
	if c.opts.Record == nil {
		return nil
	}
	e.Reply = reply
	raw, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("record model request: %w", err)
	}
	if err := c.opts.Record.Write(e.Digest()+".json", raw); err != nil {
		return fmt.Errorf("record model request: %w", err)
	}
	return nil
}
