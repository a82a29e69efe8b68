// Package llm asks a model for JSON and is the sole user of openai-go. Start at
// [Asker].
//
// The model has no tools. A request is a job name, a stable prefix, a prompt
// and a Go type; the reply is validated against the schema of that type, with
// one repair turn that lists every error. What an endpoint cannot do (strict
// schemas, a parameter) is found out once and remembered. Replies are cached by
// the digest of the request, so that an unchanged hunk costs nothing on the next
// push; the same store records a run and plays it back byte for byte.
//
// Everything sent goes through the scrubber first: secrets never leave.
package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/timing"
	"github.com/org/qa-action/internal/web"
)

// Options configure a client. Model and one of BaseURL and APIKey are required.
type Options struct {
	BaseURL  string // empty is the provider's own default
	APIKey   string
	Model    string
	Fallback string // tried when Model fails for good
	// Store is the directory of cached replies; nil is no cache.
	Store *output.Dir
	// Replay answers from Store alone and never dials; a missing reply is an
	// [ErrNotRecorded].
	Replay bool
	// Record is where every request is written down with its reply; nil is
	// nowhere. Nothing is ever read there.
	Record *output.Dir
	// Tokens and USD are ceilings for the whole run; zero is none.
	Tokens int
	USD    float64
	Prices map[string]Price
	// Deadline is the time of one call; zero is 2 minutes.
	Deadline time.Duration
	// Scrub replaces secrets in everything that is sent; nil sends as is.
	Scrub func(string) string
	Log   io.Writer
	// sleep waits between attempts; tests replace it.
	sleep func(context.Context, time.Duration) error
	// dial reaches the endpoint whatever its name; tests have one for hosts of others.
	dial func(context.Context, string, string) (net.Conn, error)
}

// Price is USD per million tokens. Cached is that of a prompt's tokens which the endpoint
// had from an earlier request; nil is that of all others.
type Price struct {
	Prompt, Completion float64
	Cached             *float64
}

func (p Price) of(read spent, completion int64) float64 {
	cached := p.Prompt
	if p.Cached != nil {
		cached = *p.Cached
	}
	return (float64(read.prompt-read.cached)*p.Prompt + float64(read.cached)*cached + float64(completion)*p.Completion) / 1e6
}

// The ways in which the model part can be missing. A caller treats all of them
// alike: the deterministic part of the run goes on.
var (
	ErrBudget      = errors.New("model budget used up")
	ErrUnavailable = errors.New("model endpoint unavailable")
	ErrReply       = errors.New("model reply unusable")
	ErrNotRecorded = errors.New("no recorded reply for this request")
)

// Missing reports whether err is one of these. [Client.Use] has told it once for
// all requests.
func Missing(err error) bool {
	return errors.Is(err, ErrBudget) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrReply) || errors.Is(err, ErrTooLong) || errors.Is(err, ErrNotRecorded)
}

// Client talks to one endpoint. It is safe for concurrent use.
type Client struct {
	opts Options
	api  openai.Client
	mu   sync.Mutex
	use  qa.ModelUse
	cost float64
	// unpriced says that a model answered of which no price is known.
	unpriced bool
	out      outages
	// models are what was learnt of each.
	models models
}

// New checks the options; it does not dial.
func New(o Options) (*Client, error) {
	if o.Model == "" || o.APIKey == "" && o.BaseURL == "" && !o.Replay {
		return nil, errors.New("model client: a model name and an endpoint or key are needed")
	}
	o.Deadline = cmp.Or(o.Deadline, 2*time.Minute)
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.sleep == nil {
		o.sleep = web.Sleep
	}
	if o.Scrub == nil {
		o.Scrub = func(s string) string { return s }
	}
	c := &Client{opts: o, api: connect(o), out: newOutages(), models: models{log: o.Log, of: map[string]*known{}}}
	c.use = qa.ModelUse{Configured: true, Models: []string{o.Model}}
	if o.Fallback != "" {
		c.use.Models = append(c.use.Models, o.Fallback)
	}
	return c, nil
}

// Request is one question.
type Request struct {
	Job string // what it is for: "scout/bug", "generator/L1"
	// System is the stable prefix: equal for all requests of a job, so that a
	// provider's prompt cache hits.
	System string
	Prompt string
	// Aside stands behind the prompt and is no part of the question: a reply that was
	// given without it, or with another one, is remembered all the same.
	Aside string
	// MaxTokens bounds the reply; zero is 4096.
	MaxTokens int
	// Variant makes otherwise equal requests different ones: the n-th vote.
	Variant int
	// Optional marks words that decide nothing. The caller says that they are
	// missing; the model part does not count as broken for them.
	Optional bool
	// Divisible says that the caller asks again about less where the prompt is too
	// long: then nothing is missing yet.
	Divisible bool
}

func (r Request) limit() int { return cmp.Or(r.MaxTokens, 4096) }

// Asker sends requests to a model and decodes its replies into T.
func Asker[T any](c *Client) func(context.Context, Request) (T, error) {
	return func(ctx context.Context, r Request) (T, error) {
		var out T
		schema, err := schemaFor[T](name(r.Job))
		if err != nil {
			return out, fmt.Errorf("ask model for %s: %w", r.Job, err)
		}
		raw, err := c.ask(ctx, r, schema)
		if err != nil {
			return out, fmt.Errorf("ask model for %s: %w", r.Job, err)
		}
		if err := json.Unmarshal(raw, &out); err != nil {
			return out, fmt.Errorf("ask model for %s: %w: %w", r.Job, ErrReply, err)
		}
		return out, nil
	}
}

// name makes a schema name the endpoints accept.
func name(job string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, job)
}

// Use is what the model has cost so far.
func (c *Client) Use() qa.ModelUse {
	c.mu.Lock()
	defer c.mu.Unlock()
	use := c.use
	use.Error = c.out.String()
	if _, ok := c.opts.Prices[c.opts.Model]; ok && !c.unpriced {
		cost := c.cost
		use.CostUSD = &cost
	}
	return use
}

func (c *Client) ask(ctx context.Context, r Request, s schema) (json.RawMessage, error) {
	ctx, end := timing.Begin(ctx, timing.Model, r.Job)
	defer end()
	e := Exchange{Job: r.Job, Variant: r.Variant, Model: c.opts.Model, Schema: s.text, System: c.opts.Scrub(r.System), Prompt: c.opts.Scrub(r.Prompt)}
	key := e.Digest()
	if reply, ok := c.kept(key); ok {
		c.count(func(u *qa.ModelUse) { u.Cached++ })
		return reply, c.record(e, reply)
	}
	c.count(func(*qa.ModelUse) { c.out.asked++ })
	if c.opts.Replay {
		err := fmt.Errorf("%w (%s)", ErrNotRecorded, key)
		c.miss(r, err) // or a replay with holes would look whole
		return nil, errors.Join(err, c.record(e, nil))
	}
	models := []string{c.opts.Model}
	if c.opts.Fallback != "" {
		models = append(models, c.opts.Fallback)
	}
	var errs []error
	for _, model := range models {
		reply, err := c.converse(ctx, model, e.messages(c.opts.Scrub(r.Aside)), r, s)
		if err == nil {
			return reply, errors.Join(c.keep(key, reply), c.record(e, reply))
		}
		errs = append(errs, err)
		if ctx.Err() != nil || errors.Is(err, ErrBudget) {
			break
		}
	}
	err := errors.Join(errs...)
	c.miss(r, err)
	return nil, err
}

// converse gets a valid reply of one model: one question and at most one
// repair turn that lists everything wrong with the first answer.
func (c *Client) converse(ctx context.Context, model string, messages []message, r Request, s schema) (json.RawMessage, error) {
	q := question{messages: messages, job: r.Job, limit: r.limit(), seed: r.Variant, schema: s}
	for turn := 0; ; turn++ {
		answer, err := c.complete(ctx, model, q)
		if err != nil {
			return nil, err
		}
		raw, problems := s.check(answer.text)
		if len(problems) == 0 {
			return raw, nil
		}
		if answer.filled > 0 {
			return nil, c.models.full(model, answer)
		}
		problems = answer.explain(problems)
		if turn == 1 {
			return nil, fmt.Errorf("%w: %s", ErrReply, strings.Join(problems, "; "))
		}
		switch {
		case answer.silent() && answer.cut: // the same question, with room to think and to answer
			c.models.learn(model, func(k *known) { k.thinks = true })
		case answer.cut: // what there is of it would only take room
			q.messages = append(q.messages, message{"user", fmt.Sprintf("A first reply was cut off at the limit of %d tokens. "+
				"Answer with less, so that the whole JSON has room, and nothing else.", answer.limit)})
		default:
			if strings.TrimSpace(answer.text) != "" { // empty turns are refused by some
				q.messages = append(q.messages, message{"assistant", answer.text})
			}
			q.messages = append(q.messages, message{"user",
				"The reply is not valid. Errors:\n- " + strings.Join(problems, "\n- ") + "\nAnswer again with the whole corrected JSON and nothing else."})
		}
	}
}

func (c *Client) count(edit func(*qa.ModelUse)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	edit(&c.use)
}
