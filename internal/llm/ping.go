package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/openai/openai-go"

	"github.com/org/qa-action/internal/wording"
)

// endings are the names under which lists of models give the day on which a model is
// shut down.
var endings = []string{"shutdown_date", "deprecation_date", "deprecation", "retirement_date", "sunset_date"}

// Ping makes one real call whose reply is a single token, past every cache, and
// asks the list of models for the last day of the model, as the endpoint writes it;
// empty where it names none. An error says which input is likely to be wrong; it
// wraps [ErrUnavailable].
func (c *Client) Ping(ctx context.Context) (lastDay string, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Deadline)
	defer cancel()
	reply, err := c.oneToken(ctx)
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrUnavailable, describe(err))
	}
	if len(reply.Choices) == 0 {
		return "", fmt.Errorf("%w: the reply has no choices; is model-base-url an OpenAI-compatible endpoint?", ErrUnavailable)
	}
	listed, err := c.api.Models.Get(ctx, c.opts.Model, c.at(c.opts.Model)...)
	if err != nil { // many endpoints have no list
		return "", nil //nolint:nilerr // the model itself answered
	}
	var fields map[string]any
	if json.Unmarshal([]byte(listed.RawJSON()), &fields) == nil {
		for _, name := range endings {
			if day, ok := fields[name].(string); ok && day != "" {
				return wording.Cut(wording.First(day), 300), nil
			}
		}
	}
	return "", nil
}

// oneToken asks with the limit that most endpoints know, then with the older
// name of it, then with none.
func (c *Client) oneToken(ctx context.Context) (*openai.ChatCompletion, error) {
	p := openai.ChatCompletionNewParams{Model: c.opts.Model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("ping")}}
	limited, older := p, p
	limited.MaxCompletionTokens, older.MaxTokens = openai.Int(1), openai.Int(1)
	var last error
	for _, params := range []openai.ChatCompletionNewParams{limited, older, p} {
		reply, err := c.api.Chat.Completions.New(ctx, params, c.at(c.opts.Model)...)
		if err == nil {
			c.pay(c.opts.Model, reply, 1, "")
			return reply, nil
		}
		last = err
		var f *fault
		if !errors.As(err, &f) || f.status != http.StatusBadRequest {
			break
		}
	}
	return nil, last
}
