package llm

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openai/openai-go"
	"gotest.tools/v3/assert"
)

// prefixes is an endpoint that keeps the beginnings of prompts as OpenAI's does: from 1024
// tokens on, in steps of 128, of four characters each.
type prefixes struct {
	mu   sync.Mutex
	kept map[string]bool
}

func (p *prefixes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const token, least, step = 4, 1024, 128
	var body struct {
		Messages []struct{ Content string } `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var text strings.Builder
	for _, m := range body.Messages {
		text.WriteString(m.Content)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	cached := 0
	for n := least; n*token <= text.Len(); n += step {
		if beginning := text.String()[:n*token]; p.kept[beginning] {
			cached = n
		} else {
			p.kept[beginning] = true
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "1", "object": "chat.completion", "model": "m", "created": 1,
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": good}}},
		"usage":   map[string]any{"prompt_tokens": text.Len() / token, "completion_tokens": 100, "prompt_tokens_details": map[string]any{"cached_tokens": cached}},
	})
}

// What an endpoint had from an earlier request with the same beginning is counted apart,
// and costs what it costs there.
func TestCachedPromptsAreCountedApart(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&prefixes{kept: map[string]bool{}})
	t.Cleanup(server.Close)
	half := 0.5
	c, err := New(Options{BaseURL: server.URL + "/v1", APIKey: "k", Model: "m", Deadline: 5 * time.Second, Prices: map[string]Price{"m": {Prompt: 1, Completion: 10, Cached: &half}}})
	assert.NilError(t, err)
	files := strings.Repeat("one line of the file\n", 400)
	for _, function := range []string{"one", "another", "a third"} {
		_, err := Asker[verdict](c)(context.Background(), Request{Job: "generator/L1", System: "s", Prompt: files + "Function under test: " + function})
		assert.NilError(t, err)
	}
	use := c.Use()
	assert.Equal(t, use.PromptCached, 2*2048, "of 2,100 tokens each, whole steps of the second and third")
	read := float64(use.Prompt-use.PromptCached) + half*float64(use.PromptCached)
	assert.Assert(t, use.CostUSD != nil && *use.CostUSD > 0)
	assert.Equal(t, int(*use.CostUSD*1e6+0.5), int(read+10*float64(use.Completion)+0.5))
}

// Endpoints tell of their caches in different words.
func TestWordsForCachedPrompts(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]spent{
		`{"prompt_tokens": 3000, "prompt_tokens_details": {"cached_tokens": 2048}}`:                   {3000, 2048},
		`{"prompt_tokens": 3000, "prompt_cache_hit_tokens": 1920, "prompt_cache_miss_tokens": 1080}`:  {3000, 1920},
		`{"prompt_tokens": 300, "cache_read_input_tokens": 2000, "cache_creation_input_tokens": 700}`: {3000, 2000},
		`{"prompt_tokens": 300, "prompt_tokens_details": {"cached_tokens": 2700}}`:                    {3000, 2700},
		`{"prompt_tokens": 3000}`: {3000, 0},
		`{"prompt_tokens": -1, "prompt_tokens_details": {"cached_tokens": -5}, "cache_read_input_tokens": -7}`: {0, 0},
	} {
		var usage openai.CompletionUsage
		assert.NilError(t, json.Unmarshal([]byte(said), &usage))
		assert.Equal(t, promptOf(usage), want, said)
	}
	assert.Equal(t, Price{Prompt: 2, Completion: 10}.of(spent{3000, 2000}, 100), 0.007)
}
