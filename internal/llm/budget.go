package llm

import (
	"fmt"

	"github.com/openai/openai-go"

	"github.com/org/qa-action/internal/qa"
)

// afford refuses a call that could go over the budget.
func (c *Client) afford(messages []message, r Request) error {
	need := 0
	for _, m := range messages {
		need += Tokens(m.Text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if used := c.use.Prompt + c.use.Completion; c.opts.Tokens > 0 && used+need > c.opts.Tokens {
		return fmt.Errorf("%w: %d of %d tokens used, %s needs about %d", ErrBudget, used, c.opts.Tokens, r.Job, need)
	}
	if c.opts.USD > 0 && c.cost >= c.opts.USD {
		return fmt.Errorf("%w: $%.4f of $%.2f spent", ErrBudget, c.cost, c.opts.USD)
	}
	return nil
}

// Left is how many tokens the budget still has; ok is false without a budget.
// Money counts at the dearer of the model's two prices, where they are known.
func (c *Client) Left() (tokens int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opts.Tokens > 0 {
		tokens, ok = max(0, c.opts.Tokens-c.use.Prompt-c.use.Completion), true
	}
	if p := c.opts.Prices[c.opts.Model]; c.opts.USD > 0 && max(p.Prompt, p.Completion) > 0 {
		bought := max(0, int((c.opts.USD-c.cost)*1e6/max(p.Prompt, p.Completion)))
		if !ok || bought < tokens {
			tokens, ok = bought, true
		}
	}
	return tokens, ok
}

// pay books what a reply cost.
func (c *Client) pay(model string, reply *openai.ChatCompletion) {
	c.count(func(u *qa.ModelUse) {
		u.Prompt += int(reply.Usage.PromptTokens)
		u.Completion += int(reply.Usage.CompletionTokens)
		if p, ok := c.opts.Prices[model]; ok {
			c.cost += (float64(reply.Usage.PromptTokens)*p.Prompt + float64(reply.Usage.CompletionTokens)*p.Completion) / 1e6
		}
	})
}
