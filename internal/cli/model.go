package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/scan/credential"
)

// replayVariable names a directory of recorded replies that answer instead of
// an endpoint: with it a run needs neither key nor network.
const replayVariable = "QA_MODEL_REPLAY"

// recordVariable names a directory that gets every request with its reply: what
// a run asks can be read there, and recorded replies are made from it.
const recordVariable = "QA_MODEL_RECORD"

// openModel makes the client of the configured model, nil when there is none.
// Replies are kept below the output directory, so that what did not change
// costs nothing on the next run.
func openModel(env *Env, c *config.Config, out *output.Dir, log io.Writer) (*llm.Client, error) {
	if !c.Model.Configured() {
		return nil, nil
	}
	scrub, err := credential.Scrubber()
	if err != nil {
		return nil, fmt.Errorf("no model is asked, because secrets could not be looked for: %w", err)
	}
	// Replies that somebody else may have written are neither read nor kept; the
	// report says so, since the directory remembers what it refused.
	replies, err := out.Part("model-replies")
	if refused := (*output.RefusedError)(nil); err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	o := llm.Options{
		BaseURL: c.Model.BaseURL, APIKey: c.Model.APIKey, Model: c.Model.Name, Fallback: c.Model.Fallback,
		Store: replies, Tokens: c.Model.Tokens, USD: c.Model.USD,
		Deadline: c.Model.Timeout, Prices: map[string]llm.Price{}, Scrub: scrub, Log: log,
	}
	if dir := env.Getenv(replayVariable); dir != "" {
		o.Store, o.Replay = output.At(dir), true
	}
	if dir := env.Getenv(recordVariable); dir != "" {
		o.Record = output.At(dir)
	}
	for name, p := range c.Model.Prices {
		o.Prices[name] = llm.Price(p)
	}
	return llm.New(o)
}
