package llm

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/openai/openai-go"

	"github.com/org/qa-action/internal/pattern"
)

// ErrTooLong is a prompt that a model's window does not hold: the same question about
// less may be answered.
var ErrTooLong = errors.New("prompt too long for the model's window")

// leastReply is the least room for a reply with which it is worth to ask, in tokens.
const leastReply = 512

// longPrompt is how endpoints say that a prompt has no room. Providers and servers have
// words of their own, and gateways hand them on; the numbers in them are read where
// they stand.
var longPrompt = []string{
	"context_length_exceeded", "maximum context length", "context length exceeded", "exceeds the context length", "exceeds maximum context length",
	"exceed_context_size", "available context size", "exceeds context size", "exceed context window", "context window", "contextwindowexceeded",
	"prompt is too long", "prompt too long", "input is too long", "input token count", "too large for model with", "tokens_limit_reached",
	"max_new_tokens` must be", "request too large", "reduce the length",
}

// numbers are where the words of a fault name the window, the prompt, and the largest
// reply that may be asked for, in tokens.
var (
	namedWindow = []*pattern.Pattern{
		pattern.New(`(?i)(?:context (?:length|size|window)|model with)(?: is| of|\D{0,3})\s*\(?(\d{3,8})`),
		pattern.New(`(?i)(?:>|<=|Limit|limit of|Max size:?|tokens allowed) ?\(?(\d{3,8})`),
		pattern.New(`(?i)(\d{3,8}) (?:tokens? )?max(?:imum)? context`),
	}
	namedSent = []*pattern.Pattern{
		pattern.New(`(?i)(\d{2,9}) (?:in the messages|in your prompt|of text input|input tokens)`),
		pattern.New(`(?i)(?:resulted in|contains|is too long:|request \(|Requested|token count \(|Given:|requested tokens \() ?(?:about |at least )?(\d{2,9})`),
	}
	namedMost = []*pattern.Pattern{
		pattern.New(`(?i)supports at most (\d{2,8}) completion tokens`),
		pattern.New(`(?i)max(?:_completion)?_tokens\D{1,40}(?:<=|less than or equal to|at most|range of \[1,) ?(\d{2,8})`),
	}
)

// named is the first number that one of the patterns finds, zero without one.
func named(in string, patterns []*pattern.Pattern) int {
	for _, p := range patterns {
		if m := p.FindStringSubmatch(in); m != nil {
			n, _ := strconv.Atoi(m[1]) // too many digits say nothing
			return n
		}
	}
	return 0
}

// long reports whether a fault says that the prompt has no room, and reads how much
// there is.
func (f *fault) long() bool {
	switch f.status {
	case http.StatusRequestEntityTooLarge:
	case http.StatusTooManyRequests: // more at once than a minute's quota has
		if !f.says("request too large") {
			return false
		}
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		if !f.says(longPrompt...) {
			return false
		}
	default:
		return false
	}
	if f.window == 0 {
		f.window = named(f.message, namedWindow)
	}
	if f.sent == 0 {
		f.sent = named(f.message, namedSent)
	}
	return true
}

// outgrown takes note of the window of a model that refused a prompt. It reports
// whether the same prompt fits with a shorter reply, and how long that may be.
func (m *models) outgrown(model string, f *fault, sent, limit int) (shorter int, ok bool) {
	known := m.learn(model, func(k *known) {
		if f.sent > 0 && sent > 0 {
			k.share = min(1, float64(f.sent)/float64(sent))
		}
		if f.window > 0 && (k.window == 0 || f.window < k.window) {
			k.window = f.window
			fmt.Fprintf(m.log, "model %s has a window of %d tokens: it is asked about less at a time\n", model, f.window)
		}
	})
	if f.sent > 0 {
		sent = f.sent
	}
	room := known.window - sent - sent/50 // what marks the turns is not always counted
	if known.window == 0 || room < leastReply || room >= limit {
		return 0, false
	}
	return room, true
}

// leastShare is how much of an estimate, which is from above, is there at least.
const leastShare = 0.6

// fits refuses a prompt that surely has no room in a window that is known.
func (k known) fits(sent int) error {
	if share := cmp.Or(k.share, leastShare); k.window > 0 && int(float64(sent)*share)+leastReply > k.window {
		return fmt.Errorf("%w: about %d tokens, and it has %d", ErrTooLong, sent, k.window)
	}
	return nil
}

// room is how long a reply may be after a prompt.
func (k known) room(sent, limit int) int {
	if k.thinks {
		limit *= thinking
	}
	if k.window > 0 {
		limit = min(limit, max(leastReply, k.window-sent))
	}
	if k.most > 0 {
		limit = min(limit, k.most)
	}
	return limit
}

// unreadLeast is how much too little a model may have read for it to be the difference
// between two vocabularies.
const unreadLeast = 400

// cutShort finds out whether a server left out a part of a prompt without a word, as
// local ones do when their window is small: what it counted is then far less than the
// estimate, more than one vocabulary differs from another, or a window to the token.
func cutShort(usage openai.CompletionUsage, sent int) bool {
	beside := asideOf(usage)
	// Some gateways do not count what they have in a cache as a part of the prompt.
	read := int(usage.PromptTokens + usage.PromptTokensDetails.CachedTokens + beside.Read + beside.Created)
	if usage.PromptTokens <= 0 || sent-read < unreadLeast {
		return false
	}
	return read*20 < sent*9 || read%1024 == 0
}

// filled reports whether a reply ended because the window was full, before it was as
// long as it may be. Windows are multiples of 256.
func filled(usage openai.CompletionUsage, limit int) bool {
	reply, both := int(usage.CompletionTokens), int(usage.PromptTokens+usage.CompletionTokens)
	return reply > 0 && reply < limit*9/10 && both > 256 && (both+1)%256 <= 1
}

// full is the error of a reply that filled the window before it was whole.
func (m *models) full(model string, r reply) error {
	m.learn(model, func(k *known) {
		if k.window == 0 || r.filled < k.window {
			k.window = r.filled
		}
	})
	return fmt.Errorf("%w: prompt and reply filled its %d tokens before the reply was whole", ErrTooLong, r.filled)
}

// unread is the error of a prompt that was not read whole. What was left out was not
// reviewed, so that the reply is none.
func (m *models) unread(model string, usage openai.CompletionUsage, sent int) error {
	read := int(usage.PromptTokens)
	window := read
	if over := read % 1024; over > 0 && over < 5 { // what Ollama keeps is half of the window, and what begins a text
		window = 2 * (read - over)
	}
	m.learn(model, func(k *known) {
		if k.window == 0 || window < k.window {
			k.window = window
		}
	})
	err := fmt.Errorf("%w: it read %d of about %d tokens, and left out the rest without a word: its server needs a larger window (num_ctx of Ollama)", ErrTooLong, read, sent)
	fmt.Fprintf(m.log, "model %s: %v\n", model, err)
	return err
}
