package llm

import (
	"fmt"
	"testing"

	"github.com/openai/openai-go"
	"gotest.tools/v3/assert"
)

// TestLongPrompts: in whose words ever, a prompt that does not fit is known as one, and
// the numbers are read that are in them.
func TestLongPrompts(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]struct {
		status, window, sent int
	}{
		"This model's maximum context length is 8191 tokens, however you requested 10346 tokens (10346 in your prompt; 5 for the completion). Please reduce your prompt; or completion length.":   {400, 8191, 10346},
		"This endpoint's maximum context length is 131072 tokens. However, you requested about 132463 tokens (1463 of text input, 131000 in the output). Please reduce the length of either one.": {400, 131072, 1463},
		"This model's maximum context length is 128000 tokens. However, you requested 65535 output tokens and your prompt contains at least 62466 input tokens, for a total of at least 128001.":  {400, 128000, 62466},
		"prompt is too long: 210000 tokens > 200000 maximum":                                                                                {400, 200000, 210000},
		"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).":                                           {400, 1048576, 1200000},
		"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length":                            {400, 32768, 40000},
		"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 1000 `max_new_tokens`": {422, 4096, 5000},
		"Request body too large for gpt-4o model. Max size: 8000 tokens.":                                                                   {413, 8000, 0},
		"Requested tokens (2285) exceed context window of 2048":                                                                             {500, 2048, 2285},
		"the input length exceeds the context length":                                                                                       {400, 0, 0},
		"": {413, 0, 0},
	} {
		f := &fault{status: want.status, message: message}
		assert.Check(t, f.long(), message)
		assert.Equal(t, fmt.Sprint(f.window, f.sent), fmt.Sprint(want.window, want.sent), message)
	}
	for _, f := range []*fault{
		{status: 400, message: "Unsupported parameter: 'max_tokens' is not supported with this model."},
		{status: 400, message: "'messages' must contain the word 'json'"},
		{status: 429, message: "Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000."},
		{status: 500, message: "context deadline exceeded"},
	} {
		assert.Check(t, !f.long(), f.message)
	}
}

// TestCutShort: what was counted is held against what was sent, and a difference that
// vocabularies make is none.
func TestCutShort(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read, cached, sent int
		want               bool
	}{
		"as estimated":           {5000, 0, 5000, false},
		"another vocabulary":     {3700, 0, 6000, false},
		"more than was sent":     {7000, 0, 5000, false},
		"a third":                {2000, 0, 6000, true},
		"a window to the token":  {4096, 0, 5300, true},
		"that size by chance":    {1024, 0, 1300, false},
		"nothing is known":       {0, 0, 6000, false},
		"the cache stands apart": {300, 4500, 6000, false},
		"a short prompt":         {60, 0, 300, false},
	} {
		usage := openai.CompletionUsage{PromptTokens: int64(c.read), PromptTokensDetails: openai.CompletionUsagePromptTokensDetails{CachedTokens: int64(c.cached)}}
		assert.Equal(t, cutShort(usage, c.sent), c.want, name)
	}
}
