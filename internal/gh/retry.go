package gh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/org/qa-action/internal/web"
)

// maxTries is how often a request is repeated after its first failure.
const maxTries = 4

// transport adds the token, for the API's own host only, and keeps writes
// apart.
type transport struct {
	token, host string
	spacing     time.Duration
	sleep       func(context.Context, time.Duration) error
	now         func() time.Time
	next        http.RoundTripper

	mu   sync.Mutex // one request at a time, as GitHub asks
	last time.Time  // end of the last write
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	write := req.Method != http.MethodGet && req.Method != http.MethodHead
	if write && !t.last.IsZero() {
		if rest := t.spacing - t.now().Sub(t.last); rest > 0 {
			if err := t.sleep(req.Context(), rest); err != nil {
				return nil, err
			}
		}
	}
	if t.token != "" && req.URL.Host == t.host {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+t.token)
	}
	resp, err := t.next.RoundTrip(req)
	if write {
		t.last = t.now()
	}
	return resp, err
}

// retryPolicy decides whether a request is sent again, and waits.
type retryPolicy struct {
	max   time.Duration
	sleep func(context.Context, time.Duration) error
	now   func() time.Time
}

// attempts rides in the context of a request, the only thing that all tries of
// it share.
type attempts struct {
	method string
	failed int
}

type attemptsKey struct{}

// onceKey marks a request that must not be repeated when its reply is lost,
// because somebody else may have written in between.
type onceKey struct{}

// counted gives each request its attempts.
type counted struct{ next http.RoundTripper }

func (c counted) RoundTrip(req *http.Request) (*http.Response, error) {
	method := req.Method
	if req.Context().Value(onceKey{}) != nil {
		method = http.MethodPost
	}
	return c.next.RoundTrip(req.WithContext(context.WithValue(req.Context(), attemptsKey{}, &attempts{method: method})))
}

// settle repeats what begins with a look at what is there, while its failure
// leaves open what became of it. A lost write is thus found instead of done
// twice.
func (c *Client) settle(ctx context.Context, do func() (open bool, err error)) error {
	const tries = 3
	for nth := 1; ; nth++ {
		open, err := do()
		if err == nil || !open || nth == tries {
			return err
		}
		if wait := c.sleep(ctx, time.Second<<nth); wait != nil {
			return err
		}
	}
}

// unclear reports whether a write that failed may have been done: the server
// broke, or its reply was lost.
func unclear(ctx context.Context, resp *github.Response, err error) bool {
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrRateLimited) {
		return false
	}
	return resp == nil || resp.StatusCode >= http.StatusInternalServerError
}

// ended is what is left when no try is left.
func ended(resp *http.Response, err error, _ int) (*http.Response, error) {
	if err != nil && resp != nil {
		return nil, errors.Join(err, resp.Body.Close())
	}
	return resp, err
}

// laterError is a limit that lasts longer than we wait.
type laterError struct{ wait time.Duration }

func (e *laterError) Error() string {
	return fmt.Sprintf("%v: the next try would be in %s", ErrRateLimited, e.wait.Round(time.Second))
}

func (e *laterError) Unwrap() error { return ErrRateLimited }

// check follows GitHub's rules for clients: Retry-After first, then the reset
// of an exhausted limit, then a minute and longer. A 403 without those signs is
// a missing permission and final. Reads are repeated after any failure of the
// server; a write only when the server said that it was refused, because a
// repeated POST may do its work twice.
func (p *retryPolicy) check(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	a, _ := ctx.Value(attemptsKey{}).(*attempts)
	if a == nil {
		return false, err
	}
	if refused := web.Refused(err); refused != nil && refused.Final() {
		return false, err
	}
	nth := a.failed
	a.failed++
	wait, retry := time.Duration(0), false
	switch {
	case err != nil || resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented:
		wait, retry = time.Second<<nth, a.method != http.MethodPost
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusForbidden:
		wait, retry = p.limit(resp, nth)
	}
	switch {
	case !retry || nth >= maxTries:
		return false, err
	case wait > p.max:
		return false, &laterError{wait}
	}
	return true, p.sleep(ctx, wait)
}

// limit reads how long a limit lasts; ok is false when it is no limit.
func (p *retryPolicy) limit(resp *http.Response, nth int) (wait time.Duration, ok bool) {
	if after := resp.Header.Get("Retry-After"); after != "" {
		if n, err := strconv.Atoi(after); err == nil && n >= 0 {
			return time.Duration(n) * time.Second, true
		}
		if at, err := http.ParseTime(after); err == nil {
			return max(at.Sub(p.now()), 0), true
		}
	}
	if resp.Header.Get("X-RateLimit-Remaining") == "0" {
		if reset, err := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return max(time.Unix(reset, 0).Sub(p.now()), 0) + time.Second, true
		}
	}
	if resp.StatusCode == http.StatusTooManyRequests || secondary(resp) {
		return time.Minute << nth, true
	}
	return 0, false
}

// secondary looks for the one sign of a secondary limit that has no header. The
// body is put back.
func secondary(resp *http.Response) bool {
	head, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	return err == nil && strings.Contains(strings.ToLower(string(head)), "secondary rate limit")
}
