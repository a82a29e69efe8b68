package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
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
	base := cmp.Or(o.BaseURL, "https://api.openai.com/v1/")
	opts := []option.RequestOption{
		option.WithAPIKey(o.APIKey), option.WithMaxRetries(0),
		option.WithHeaderDel("OpenAI-Organization"), option.WithHeaderDel("OpenAI-Project"),
	}
	if u, err := url.Parse(base); err == nil {
		// Azure: the version is a query parameter and the key has its own header.
		if version := u.Query().Get("api-version"); version != "" {
			opts = append(opts, option.WithQuery("api-version", version))
		}
		if strings.HasSuffix(u.Hostname(), ".azure.com") {
			opts = append(opts, option.WithHeader("api-key", o.APIKey), option.WithHeaderDel("Authorization"))
		}
		u.RawQuery = ""
		base = u.String()
	}
	limits := web.Model
	limits.Time = o.Deadline
	opts = append(opts, option.WithBaseURL(strings.TrimSuffix(base, "/")+"/"), option.WithHTTPClient(web.Client(limits)))
	return openai.NewClient(opts...)
}

// reply is the text of an answer; cut says that it ended at its limit.
type reply struct {
	text string
	cut  bool
}

// step is how simple a reply format an endpoint needs: the list of them is tried from the top.
type step int

const (
	stepSchema step = iota // response_format json_schema, strict
	stepObject             // response_format json_object
	stepPrompt             // the schema in the prompt alone
)

// droppable parameters are left out when an endpoint refuses them.
var droppable = []string{"temperature", "seed", "max_completion_tokens"}

// maxRetryAfter is how long a reply may ask us to wait; longer is a quota that
// this run will not outlive.
const maxRetryAfter = 90 * time.Second

// complete makes one successful call: it tries the next reply format on 400, drops
// refused parameters, and waits for what passes by itself.
func (c *Client) complete(ctx context.Context, model string, messages []message, r Request, s schema) (reply, error) {
	retries := 0
	for {
		if err := c.gone(model); err != nil {
			return reply{}, err
		}
		if err := c.afford(messages, r); err != nil {
			return reply{}, err
		}
		answer, err := c.call(ctx, model, messages, r, s)
		if err == nil || errors.Is(err, ErrReply) {
			c.answered(model)
			return answer, err
		}
		if ctx.Err() != nil {
			return reply{}, context.Cause(ctx)
		}
		var refused *openai.Error
		if errors.As(err, &refused) && refused.StatusCode == http.StatusBadRequest && c.downgrade(model, refused) {
			continue
		}
		wait, again := retry(err, retries)
		if !again || retries >= c.retries(model) {
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

func (c *Client) call(ctx context.Context, model string, messages []message, r Request, s schema) (reply, error) {
	c.mu.Lock()
	at, dropped := c.step[model], slices.Clone(c.dropped[model])
	c.mu.Unlock()
	limit := r.limit()
	p := openai.ChatCompletionNewParams{Model: model}
	if !slices.Contains(dropped, "temperature") {
		p.Temperature = openai.Float(0.2)
	}
	if !slices.Contains(dropped, "seed") {
		p.Seed = openai.Int(int64(r.Variant) + 1)
	}
	if slices.Contains(dropped, "max_completion_tokens") {
		p.MaxTokens = openai.Int(int64(limit))
	} else {
		p.MaxCompletionTokens = openai.Int(int64(limit))
	}
	switch at {
	case stepSchema:
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: s.name, Schema: s.value, Strict: openai.Bool(true)},
		}
	case stepObject:
		p.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	for i, m := range messages {
		text := m.Text
		if i == 0 && at != stepSchema {
			text += "\n\nAnswer with one JSON value of this schema and nothing else:\n" + s.text
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
	c.count(func(u *qa.ModelUse) { u.Calls++ })
	got, err := c.api.Chat.Completions.New(ctx, p)
	if err != nil {
		if errors.Is(err, web.ErrTooLate) {
			return reply{}, late{c.opts.Deadline}
		}
		return reply{}, err
	}
	c.pay(model, got)
	if len(got.Choices) == 0 {
		return reply{}, errors.New("the reply has no choices")
	}
	choice := got.Choices[0]
	if choice.Message.Refusal != "" {
		return reply{}, fmt.Errorf("%w: refused: %s", ErrReply, wording.Cut(wording.First(choice.Message.Refusal), 300))
	}
	cut := choice.FinishReason == "length"
	if cut {
		c.count(func(u *qa.ModelUse) { u.Truncated++ })
	}
	return reply{said(choice.Message), cut}, nil
}

// said is the text of a reply. Some gateways make the call of a function of every reply
// that has to be JSON, though none was offered; its arguments are the reply then.
func said(m openai.ChatCompletionMessage) string {
	switch {
	case strings.TrimSpace(m.Content) != "":
		return m.Content
	case len(m.ToolCalls) > 0:
		return m.ToolCalls[0].Function.Arguments
	}
	return m.FunctionCall.Arguments
}

// late is a call whose deadline passed.
type late struct{ limit time.Duration }

func (l late) Error() string { return fmt.Sprintf("no reply within %s (input model-timeout)", l.limit) }

// downgrade reacts to a 400: it drops the parameter the message names, else
// goes on to the next reply format. It reports whether anything changed.
func (c *Client) downgrade(model string, refused *openai.Error) bool {
	text := strings.ToLower(refused.Message + " " + refused.Param)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range droppable {
		if strings.Contains(text, p) && !slices.Contains(c.dropped[model], p) {
			c.dropped[model] = append(c.dropped[model], p)
			fmt.Fprintf(c.opts.Log, "model %s refuses %s: left out from now on\n", model, p)
			return true
		}
	}
	if c.step[model] < stepPrompt && (strings.Contains(text, "response_format") || strings.Contains(text, "schema") || strings.Contains(text, "json") || text == " ") {
		c.step[model]++
		fmt.Fprintf(c.opts.Log, "model %s refuses the reply format: one step simpler from now on\n", model)
		return true
	}
	return false
}

// retry says whether an error may pass, and how long to wait: Retry-After
// when given, else 2, 4, 8 s with jitter. A call that took all its time is
// tried once more, and at once.
func retry(err error, retries int) (time.Duration, bool) {
	wait := time.Duration(1<<(retries+1)) * time.Second
	wait += time.Duration(rand.Int64N(int64(wait / 4)))
	var refused *openai.Error
	if !errors.As(err, &refused) {
		if errors.As(err, new(late)) {
			return 0, retries == 0
		}
		if r := web.Refused(err); r != nil && r.Final() {
			return 0, false
		}
		return wait, true // no HTTP status: the connection broke
	}
	switch code := refused.StatusCode; {
	case code == http.StatusRequestTimeout, code == http.StatusConflict, code == http.StatusTooManyRequests, code >= 500:
	default:
		return 0, false
	}
	if after, ok := retryAfter(refused); ok {
		return after, after <= maxRetryAfter
	}
	return wait, true
}

// retryAfter is how long an error asks to wait; ok is false when it does not.
func retryAfter(refused *openai.Error) (wait time.Duration, ok bool) {
	if refused.Response == nil {
		return 0, false
	}
	text := refused.Response.Header.Get("Retry-After")
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 {
		return time.Duration(min(n, 1e6) * float64(time.Second)), true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}

// describe is an error for people: status and message, never a body of HTML.
func describe(err error) string {
	var refused *openai.Error
	if !errors.As(err, &refused) {
		if r := web.Refused(err); r != nil {
			return r.Error() // its own words are bounded, and say what to do at their end
		}
		return wording.Cut(wording.First(err.Error()), 300)
	}
	text := fmt.Sprintf("HTTP %d", refused.StatusCode)
	switch refused.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		text += " (is model-api-key right for this endpoint?)"
	case http.StatusNotFound, http.StatusGone:
		text += " (is the model still offered? `qa doctor` tells its shutdown date if listed)"
	case http.StatusTooManyRequests:
		text += " (rate limit or quota)"
	}
	if refused.Message != "" {
		text += ": " + wording.Cut(wording.First(refused.Message), 300)
	}
	return text
}
