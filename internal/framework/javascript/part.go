package javascript

import (
	"fmt"

	"github.com/org/qa-action/internal/framework/adapter"
)

// shard is the option by which runners divide a suite by its files.
func shard(p adapter.Part) string { return fmt.Sprintf("--shard=%d/%d", p.Index, p.Of) }
