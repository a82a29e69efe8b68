package llm

import (
	"encoding/json"

	"github.com/openai/openai-go"
)

// spent are the tokens of a prompt, and those of them that the endpoint had from an
// earlier request with the same beginning.
type spent struct{ prompt, cached int64 }

// aside is what some endpoints say of their caches in words of their own.
type aside struct {
	Read    int64 `json:"cache_read_input_tokens"`
	Created int64 `json:"cache_creation_input_tokens"`
	Hit     int64 `json:"prompt_cache_hit_tokens"`
}

func asideOf(usage openai.CompletionUsage) (said aside) {
	_ = json.Unmarshal([]byte(usage.RawJSON()), &said) // without them nothing is added
	return said
}

// promptOf reads how long a prompt was: OpenAI and DeepSeek count what they had in a cache
// as a part of it, others beside it.
func promptOf(usage openai.CompletionUsage) spent {
	said := asideOf(usage)
	all := spent{max(0, usage.PromptTokens), max(0, usage.PromptTokensDetails.CachedTokens, said.Hit)}
	switch {
	case all.cached > all.prompt: // it stands apart
		all.prompt += all.cached
	case all.cached == 0:
		all.cached = max(0, said.Read)
		all.prompt += all.cached + max(0, said.Created)
	}
	return all
}
