package llm

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/web"
	"github.com/org/qa-action/internal/wording"
)

// tolerance is how many requests in a row a model may fail after all their
// retries. Then each further one is tried once, without waiting, until one is
// answered; a model that took all its time is not asked again at all.
const tolerance = 2

// maxRetries is how often a refused or broken call is repeated.
const maxRetries = 3

// outages are what failed: a run says once what the model did not do, and does
// not wait for every request of an endpoint that is gone.
type outages struct {
	asked  int
	broken bool             // one is missing on which something depends
	missed map[string]int   // requests without a usable reply, by job
	whys   map[string]int   // how often each reason was met
	row    map[string]int   // failures of a model since it last answered
	down   map[string]error // models that are not asked again, with the reason
}

func newOutages() outages {
	return outages{missed: map[string]int{}, whys: map[string]int{}, row: map[string]int{}, down: map[string]error{}}
}

// gone is why a model is not asked again, nil while it is.
func (c *Client) gone(model string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.down[model]
}

// Silent reports that of all that was asked nothing was answered, by the models or by
// what is remembered of them: what would serve the next question alone is left undone.
func (c *Client) Silent() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	missed := 0
	for _, n := range c.out.missed {
		missed += n
	}
	return missed > 0 && missed >= c.out.asked && c.use.Cached == 0
}

// retries is how often a failed call to a model is repeated.
func (c *Client) retries(model string, err error) int {
	if f := (*fault)(nil); errors.As(err, &f) && f.loading() {
		return int(c.opts.Deadline / loadingWait)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out.row[model] >= tolerance {
		return 0
	}
	return maxRetries
}

// answered takes note that a model is there.
func (c *Client) answered(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.row[model] = 0
}

// lost takes note that a call failed for good and gives the error to return.
// What is wrong with one question says nothing about the next; a refused key and
// a model that is shut down do.
func (c *Client) lost(model string, err error) error {
	failed := fmt.Errorf("%w: %s", ErrUnavailable, describe(err))
	var f *fault
	refusal := web.Refused(err)
	permanent := refusal != nil && refusal.Err == web.ErrRedirect
	if errors.As(err, &f) {
		switch f.status {
		case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
			permanent = true
		case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
			after, ok := f.retryAfter()
			permanent = ok && after > maxRetryAfter || f.spent()
		default:
			if permanent = f.says("invalid model name", "model_not_found"); !permanent && f.status >= http.StatusBadRequest && f.status < http.StatusInternalServerError {
				return failed
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.row[model]++
	if c.out.row[model] >= tolerance && errors.As(err, new(late)) {
		permanent = true
	}
	if permanent && c.out.down[model] == nil {
		c.out.down[model] = failed
		fmt.Fprintf(c.opts.Log, "model %s is not asked again in this run: %s\n", model, describe(err))
	}
	return failed
}

// miss counts a request that got no usable reply of any model. One that is asked again
// about less is none by itself.
func (c *Client) miss(r Request, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.Divisible && errors.Is(err, ErrTooLong) {
		c.out.asked--
		return
	}
	c.out.broken = c.out.broken || !r.Optional
	c.out.missed[r.Job]++
	c.out.whys[wording.Cut(wording.First(err.Error()), 300)]++
}

// String says what is missing, by job, and the most frequent reason; it is empty
// when nothing is on which anything depends.
func (o outages) String() string {
	if !o.broken {
		return ""
	}
	n, jobs := 0, []string{}
	for _, job := range slices.Sorted(maps.Keys(o.missed)) {
		n += o.missed[job]
		jobs = append(jobs, fmt.Sprintf("%s %d", job, o.missed[job]))
	}
	why := ""
	for _, w := range slices.Sorted(maps.Keys(o.whys)) {
		if o.whys[w] > o.whys[why] {
			why = w
		}
	}
	return fmt.Sprintf("%d of %d requests without a usable reply (%s): %s", n, o.asked, strings.Join(jobs, ", "), why)
}
