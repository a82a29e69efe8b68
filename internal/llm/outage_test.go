package llm

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOutage is a series of requests to one endpoint: how often each of them
// dials, and what the run says of all of them.
func TestOutage(t *testing.T) {
	t.Parallel()
	never := func(http.ResponseWriter) { time.Sleep(200 * time.Millisecond) }
	times := func(n int, r func(http.ResponseWriter)) []func(http.ResponseWriter) {
		return slices.Repeat([]func(http.ResponseWriter){r}, n)
	}
	busy, unfit := refuses(503, "busy"), refuses(400, "context too long")
	for name, c := range map[string]struct {
		replies []func(http.ResponseWriter)
		edit    func(*Options)
		jobs    []string
		calls   []int // after each request
		says    string
	}{
		"a key that is refused": {
			replies: []func(http.ResponseWriter){says(good), refuses(401, "revoked")},
			jobs:    []string{"scout", "scout", "notes", "scout"}, calls: []int{1, 2, 2, 2},
			says: "3 of 4 requests without a usable reply (notes 1, scout 2): model endpoint unavailable: HTTP 401 (is model-api-key right for this endpoint?): revoked",
		},
		"a quota for the day": {
			replies: []func(http.ResponseWriter){refuses(429, "quota", "Retry-After", "86400")},
			jobs:    []string{"a", "b"}, calls: []int{1, 1},
			says: "2 of 2 requests without a usable reply (a 1, b 1): model endpoint unavailable: HTTP 429 (rate limit or quota): quota",
		},
		"busy for long, and back": {
			replies: append(times(9, busy), says(good), busy, says(good)),
			jobs:    []string{"a", "b", "c", "d", "e"}, calls: []int{4, 8, 9, 10, 12},
			says: "3 of 5 requests without a usable reply (a 1, b 1, c 1): model endpoint unavailable: HTTP 503: busy",
		},
		"never in time": {
			replies: times(4, never), edit: func(o *Options) { o.Deadline = 50 * time.Millisecond },
			jobs: []string{"a", "a", "a"}, calls: []int{2, 4, 4},
			says: "3 of 3 requests without a usable reply (a 3): model endpoint unavailable: no reply within 50ms (input model-timeout)",
		},
		"questions that are too long": {
			replies: append(times(3, unfit), says(good)),
			jobs:    []string{"a", "a", "a", "b"}, calls: []int{1, 2, 3, 4},
			says: "3 of 4 requests without a usable reply (a 3): model endpoint unavailable: HTTP 400: context too long",
		},
		"the other model": {
			replies: []func(http.ResponseWriter){refuses(404, "gone"), says(good), says(good)}, edit: func(o *Options) { o.Fallback = "n" },
			jobs: []string{"a", "b"}, calls: []int{2, 3},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, _, _ := open(t, c.edit, c.replies...)
			for i, job := range c.jobs {
				_, _ = Asker[verdict](client)(context.Background(), Request{Job: job, Variant: i}) // what failed is counted
				if n := client.Use().Calls; n != c.calls[i] {
					t.Errorf("%d calls after request %d, want %d", n, i+1, c.calls[i])
				}
			}
			all := fmt.Sprintf("%[1]d of %[1]d ", len(c.jobs))
			if silent := strings.HasPrefix(c.says, all); client.Silent() != silent {
				t.Errorf("silent is %t of: %s", !silent, c.says)
			}
			if got := client.Use().Error; got != c.says {
				t.Errorf("the run says\n%s\nwant\n%s", got, c.says)
			}
		})
	}
}

// TestACutReplyIsAskedForShorter: what was cut is not sent back, and the second
// answer has to fit.
func TestACutReplyIsAskedForShorter(t *testing.T) {
	t.Parallel()
	c, e, _ := open(t, nil, finishes(`{"title":"t","sev`, "length"), says(good))
	if _, err := ask(c); err != nil {
		t.Fatal(err)
	}
	turns := e.bodies[1]["messages"].([]any)
	last := turns[len(turns)-1].(map[string]any)["content"].(string)
	if want := "A first reply was cut off at the limit of 4096 tokens. Answer with less, so that the whole JSON has room, and nothing else."; len(turns) != 3 || last != want {
		t.Errorf("asked again with %v", turns)
	}
}
