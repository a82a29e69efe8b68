package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
	"github.com/openai/openai-go/shared"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/web"
	"github.com/org/qa-action/internal/wording"
)

// message is one turn.
type message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// connect makes the client with every option set: the library would otherwise
// take organisation, project and base URL from the environment and send them to
// a foreign endpoint.
func connect(o Options) openai.Client {
	limits := web.Model
	limits.Time = o.Deadline
	client := web.Client(limits)
	if o.dial != nil {
		client = web.Local(limits, o.dial)
	}
	opts := []option.RequestOption{
		option.WithAPIKey(o.APIKey), option.WithMaxRetries(0),
		option.WithHeaderDel("OpenAI-Organization"), option.WithHeaderDel("OpenAI-Project"),
		option.WithBaseURL(o.baseOf(o.Model)), option.WithHTTPClient(client), option.WithMiddleware(plain),
	}
	return openai.NewClient(append(opts, o.keyed()...)...)
}

// reply is the text of an answer.
type reply struct {
	text    string
	cut     bool // it ended at its limit
	thought bool // the model thought before it answered
	limit   int  // in tokens
	filled  int  // the window that prompt and reply filled; zero is none
}

// maxRetryAfter is how long a reply may ask us to wait; longer is a quota that
// this run will not outlive.
const maxRetryAfter = 90 * time.Second

// complete makes one successful call: it tries the next reply format on 400, drops
// refused parameters, asks for less where the window is small, and waits for what
// passes by itself.
func (c *Client) complete(ctx context.Context, model string, q question) (reply, error) {
	limit := c.models.knows(model).room(q.size(), q.limit)
	for retries := 0; ; {
		if err := c.gone(model); err != nil {
			return reply{}, err
		}
		if err := c.afford(q); err != nil {
			return reply{}, err
		}
		if err := c.models.knows(model).fits(q.size()); err != nil {
			return reply{}, err
		}
		answer, err := c.call(ctx, model, q, limit)
		if err == nil || errors.Is(err, ErrReply) || errors.Is(err, ErrTooLong) {
			c.answered(model)
			return answer, err
		}
		if ctx.Err() != nil {
			return reply{}, context.Cause(ctx)
		}
		switch again, err := c.adapt(model, q, err, &limit); {
		case err != nil:
			return reply{}, err
		case again:
			continue
		}
		wait, again := retry(err, retries)
		if !again || retries >= c.retries(model, err) {
			return reply{}, c.lost(model, err)
		}
		retries++
		c.count(func(u *qa.ModelUse) { u.Retries++ })
		fmt.Fprintf(c.opts.Log, "model: %s; trying again in %s\n", describe(err), wait.Round(time.Second))
		if err := c.opts.sleep(ctx, wait); err != nil {
			return reply{}, err
		}
	}
}

// adapt reacts to a fault that lies in the question: again says that it may be asked in
// another way, an error that it may not be asked at all.
func (c *Client) adapt(model string, q question, err error, limit *int) (again bool, refused error) {
	var f *fault
	switch {
	case !errors.As(err, &f):
		return false, nil
	case f.filtered():
		c.answered(model)
		return false, fmt.Errorf("%w: refused by a content filter: %s", ErrReply, describe(f))
	case f.long():
		c.answered(model)
		if shorter, ok := c.models.outgrown(model, f, q.size(), *limit); ok {
			*limit = shorter
			return true, nil
		}
		return false, fmt.Errorf("%w: %s", ErrTooLong, describe(f))
	case c.models.downgrade(model, f):
		*limit = c.models.knows(model).room(q.size(), q.limit)
		return true, nil
	}
	return false, nil
}

// question is what one call asks.
type question struct {
	messages []message
	job      string
	limit    int // of the reply, in tokens
	seed     int
	schema   schema
}

// size is about how many tokens the messages have.
func (q question) size() int {
	n := 0
	for _, m := range q.messages {
		n += Tokens(m.Text)
	}
	return n
}

func (c *Client) call(ctx context.Context, model string, q question, limit int) (reply, error) {
	k := c.models.knows(model)
	c.count(func(u *qa.ModelUse) { u.Calls++ })
	got, err := c.api.Chat.Completions.New(ctx, k.params(model, q, limit), c.at(model)...)
	if err != nil {
		if errors.Is(err, web.ErrTooLate) {
			return reply{}, late{c.opts.Deadline}
		}
		return reply{}, err
	}
	if len(got.Choices) == 0 {
		c.pay(model, got, q.size(), "")
		return reply{}, errors.New("the reply has no choices")
	}
	choice := got.Choices[0]
	said := messageOf(choice)
	text, thoughts := said.text(), said.thoughts()
	c.pay(model, got, q.size(), text+thoughts)
	c.models.named(model, got.Model)
	switch {
	case said.Refusal != "":
		return reply{}, fmt.Errorf("%w: refused: %s", ErrReply, wording.Cut(wording.First(said.Refusal), 300))
	case choice.FinishReason == "content_filter":
		return reply{}, fmt.Errorf("%w: cut off by a content filter", ErrReply)
	case cutShort(got.Usage, q.size()):
		return reply{}, c.models.unread(model, got.Usage, q.size())
	}
	cut := choice.FinishReason == "length"
	if cut {
		c.count(func(u *qa.ModelUse) { u.Truncated++ })
	}
	if strings.TrimSpace(text) == "" && !cut {
		text = concluded(thoughts)
	}
	r := reply{text: text, cut: cut, limit: limit, thought: thoughts != "" || got.Usage.CompletionTokensDetails.ReasoningTokens > 0}
	if cut && filled(got.Usage, limit) {
		r.filled = int(got.Usage.PromptTokens + got.Usage.CompletionTokens)
	}
	return r, nil
}

// params are those of a call, without what the endpoint refuses.
func (k known) params(model string, q question, limit int) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: model}
	if !slices.Contains(k.dropped, "temperature") {
		p.Temperature = openai.Float(0.2)
	}
	if !slices.Contains(k.dropped, "seed") {
		p.Seed = openai.Int(int64(q.seed) + 1)
	}
	if slices.Contains(k.dropped, "max_completion_tokens") {
		p.MaxTokens = openai.Int(int64(limit))
	} else {
		p.MaxCompletionTokens = openai.Int(int64(limit))
	}
	switch k.step {
	case stepSchema:
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: q.schema.name, Schema: q.schema.value, Strict: openai.Bool(true)},
		}
	case stepObject:
		p.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	for i, m := range q.messages {
		text := m.Text
		if i == 0 && k.step != stepSchema {
			text += "\n\nAnswer with one JSON value of this schema and nothing else:\n" + q.schema.text
		}
		switch m.Role {
		case "system":
			p.Messages = append(p.Messages, openai.SystemMessage(text))
		case "assistant":
			p.Messages = append(p.Messages, openai.AssistantMessage(text))
		default:
			p.Messages = append(p.Messages, openai.UserMessage(text))
		}
	}
	return p
}

// silent reports whether a model thought, and did not answer.
func (r reply) silent() bool { return r.thought && strings.TrimSpace(r.text) == "" }

// explain adds to what is wrong with a reply why that may be.
func (r reply) explain(problems []string) []string {
	switch {
	case r.silent() && r.cut:
		return []string{fmt.Sprintf("all %d tokens of the reply went into thoughts", r.limit)}
	case r.silent():
		return []string{"thoughts, and no answer after them"}
	case r.cut || strings.TrimSpace(r.text) == "" || strings.ContainsAny(r.text, "{["):
		return problems
	}
	return []string{fmt.Sprintf("no JSON value in it: %s", wording.Cut(wording.First(r.text), 120))}
}

// late is a call whose deadline passed.
type late struct{ limit time.Duration }

func (l late) Error() string { return fmt.Sprintf("no reply within %s (input model-timeout)", l.limit) }
