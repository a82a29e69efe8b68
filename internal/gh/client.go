package gh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/hashicorp/go-retryablehttp"

	"github.com/org/qa-action/internal/web"
	"github.com/org/qa-action/internal/wording"
)

// What can be the matter with a request, for errors.Is.
var (
	// ErrForbidden is a token that may not do this: normal on pull requests of
	// forks and Dependabot, whose tokens only read.
	ErrForbidden = errors.New("the token is not allowed to do this")
	// ErrRateLimited is a limit that would take longer than [Options.LongestWait].
	ErrRateLimited = errors.New("rate limit")
	// ErrStale is a pull request whose head is not ours any more.
	ErrStale = errors.New("the pull request has a newer head")
	// ErrClosed is a pull request that was closed without being merged.
	ErrClosed = errors.New("it was closed")
)

// Options say how to reach the API.
type Options struct {
	URL         string // https://api.github.com when empty
	Token       string
	Owner, Repo string
	Version     string // of this program, for the user agent
	// LongestWait is the longest wait that a rate limit may ask for before the
	// request is given up; 0 is two minutes.
	LongestWait time.Duration
	// Spacing is the pause between two writes; 0 is one second, which GitHub
	// asks for.
	Spacing time.Duration
	// Sleep waits; nil is a real wait.
	Sleep func(ctx context.Context, d time.Duration) error
	Now   func() time.Time
}

// Client talks to the API of one repository, one request at a time.
type Client struct {
	api         *github.Client
	owner, repo string
	sleep       func(ctx context.Context, d time.Duration) error
	now         func() time.Time
	app         int64 // the app of the token, 0 until a check run told it
}

// New makes a client. It does no request.
func New(o Options) (*Client, error) {
	if o.Owner == "" || o.Repo == "" {
		return nil, errors.New("the repository is unknown: GITHUB_REPOSITORY is not set")
	}
	o.URL = cmp.Or(o.URL, "https://api.github.com")
	base, err := url.Parse(strings.TrimSuffix(o.URL, "/") + "/")
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" {
		return nil, fmt.Errorf("API address %q is not a URL like https://api.github.com", o.URL)
	}
	o.LongestWait = cmp.Or(o.LongestWait, 2*time.Minute)
	o.Spacing = cmp.Or(o.Spacing, time.Second)
	if o.Sleep == nil {
		o.Sleep = web.Sleep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	wait := &retryPolicy{max: o.LongestWait, sleep: o.Sleep, now: o.Now}
	reach := web.Client(web.GitHub)
	reach.Transport = &transport{token: o.Token, host: base.Host, spacing: o.Spacing, sleep: o.Sleep, now: o.Now, next: reach.Transport}
	retry := &retryablehttp.Client{
		HTTPClient: reach,
		RetryMax:   maxTries, CheckRetry: wait.check, ErrorHandler: ended,
		// All waiting is done by check, which knows why it waits.
		Backoff: func(time.Duration, time.Duration, int, *http.Response) time.Duration { return 0 },
	}
	api := github.NewClient(&http.Client{Transport: counted{retry.StandardClient().Transport}})
	api.BaseURL = base
	api.UserAgent = "qa-action/" + o.Version
	return &Client{api: api, owner: o.Owner, repo: o.Repo, sleep: o.Sleep, now: o.Now}, nil
}

// perPage is how many things of a list come at once, the most there is.
const perPage = 100

// listed gives what get lists page by page, a page of at for each call. An error is the
// last.
func listed[T any](at *github.ListOptions, get func() ([]T, *github.Response, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		at.PerPage = perPage
		for {
			page, resp, err := get()
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, one := range page {
				if !yield(one, nil) {
					return
				}
			}
			if resp.NextPage == 0 {
				return
			}
			at.Page = resp.NextPage
		}
	}
}

// failed explains an error of the API in our words.
func failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	var (
		reply *github.ErrorResponse
		rate  *github.RateLimitError
		abuse *github.AbuseRateLimitError
		later *laterError
	)
	refused := web.Refused(err)
	switch {
	case refused != nil:
		return fmt.Errorf("%s: %w", doing, refused)
	case errors.As(err, &later):
		return fmt.Errorf("%s: %w", doing, later)
	case errors.As(err, &rate):
		return fmt.Errorf("%s: %w until %s", doing, ErrRateLimited, rate.Rate.Reset.UTC().Format(time.RFC3339))
	case errors.As(err, &abuse):
		return fmt.Errorf("%s: %w: %s", doing, ErrRateLimited, wording.Line(abuse.Message, 300))
	case errors.As(err, &reply) && reply.Response != nil:
		code := reply.Response.StatusCode
		if code == http.StatusForbidden || code == http.StatusUnauthorized {
			return fmt.Errorf("%s: %w (%d: %s)", doing, ErrForbidden, code, wording.Line(reply.Message, 300))
		}
		if code == http.StatusTooManyRequests {
			return fmt.Errorf("%s: %w (%d: %s)", doing, ErrRateLimited, code, wording.Line(reply.Message, 300))
		}
		text := reply.Message
		for _, e := range reply.Errors {
			text += "; " + strings.TrimSpace(e.Field+" "+e.Code+" "+e.Message)
		}
		return fmt.Errorf("%s: %d: %s", doing, code, wording.Line(text, 300))
	}
	return fmt.Errorf("%s: %w", doing, err)
}
