package llm

import (
	"fmt"

	"github.com/openai/openai-go"

	"github.com/org/qa-action/internal/qa"
)

// afford refuses a call that could go over the budget.
func (c *Client) afford(q question) error {
	need := q.size()
	c.mu.Lock()
	defer c.mu.Unlock()
	if used := c.use.Prompt + c.use.Completion; c.opts.Tokens > 0 && used+need > c.opts.Tokens {
		return fmt.Errorf("%w: %d of %d tokens used, %s needs about %d", ErrBudget, used, c.opts.Tokens, q.job, need)
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

// pay books what a reply cost: what an endpoint does not count is estimated, or a
// budget would have no end there. Some count thoughts in the total alone.
func (c *Client) pay(model string, reply *openai.ChatCompletion, sent int, text string) {
	used := reply.Usage
	estimated := false
	read, completion := promptOf(used), max(used.CompletionTokens, used.TotalTokens-used.PromptTokens)
	if read.prompt <= 0 && completion <= 0 {
		read, completion, estimated = spent{prompt: int64(sent)}, int64(Tokens(text)), true
		c.models.learn(model, func(k *known) {
			if !k.silent {
				k.silent = true
				fmt.Fprintf(c.opts.Log, "model %s does not say what a reply cost: tokens are estimated\n", model)
			}
		})
	}
	c.count(func(u *qa.ModelUse) {
		u.Prompt += int(read.prompt)
		u.PromptCached += int(read.cached)
		u.Completion += int(completion)
		u.Thoughts += int(max(0, min(used.CompletionTokensDetails.ReasoningTokens, completion)))
		u.Estimated = u.Estimated || estimated
		if p, ok := c.opts.Prices[model]; ok {
			c.cost += p.of(read, completion)
		} else {
			c.unpriced = true
		}
	})
}
