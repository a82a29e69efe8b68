package llm

import (
	"encoding/json"
	"fmt"
)

// Valid replies are kept by the digest of their request, one file each: two
// directories of cache and recording are one when their files are put together.

// maxReply bounds one reply that is read back.
const maxReply = 16 << 20

func (c *Client) kept(key string) (json.RawMessage, bool) {
	if c.opts.Store == nil {
		return nil, false
	}
	raw, err := c.opts.Store.Read(key+".json", maxReply)
	if err != nil || !json.Valid(raw) {
		return nil, false
	}
	return raw, true
}

// keep writes atomically: a killed run leaves whole replies only.
func (c *Client) keep(key string, reply json.RawMessage) error {
	if c.opts.Store == nil {
		return nil
	}
	if err := c.opts.Store.Write(key+".json", reply); err != nil {
		return fmt.Errorf("keep model reply: %w", err)
	}
	return nil
}
