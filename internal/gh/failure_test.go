package gh

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/contract"
)

// failing answers one kind of request with a refusal, the first n times.
func failing(s *contract.Server, request string, n int, with contract.Refusal) {
	s.OnRequest = func(s *contract.Server, got string) {
		method, part, _ := strings.Cut(request, " ")
		if n > 0 && strings.HasPrefix(got, method+" ") && strings.Contains(got, part) {
			n--
			s.Refusals = []contract.Refusal{with}
		}
	}
}

const always = 1 << 20

// publishers are everything that a run writes to GitHub, and the requests that
// each is made of.
var publishers = map[string]struct {
	requests []string
	publish  func(t *testing.T, c *Client, s *contract.Server) error
}{
	"new comment": {[]string{"GET /issues/7/comments", "POST /issues/7/comments"}, func(t *testing.T, c *Client, _ *contract.Server) error {
		_, _, err := c.PutComment(t.Context(), 7, here, "report")
		return err
	}},
	"old comment": {[]string{"GET /issues/7/comments", "PATCH /issues/comments/1"}, func(t *testing.T, c *Client, s *contract.Server) error {
		s.Comments = []contract.Comment{{ID: 1, Author: contract.Bot, Bot: true, Body: here.marker() + "\n\nold"}}
		_, _, err := c.PutComment(t.Context(), 7, here, "report")
		return err
	}},
	"check run": {[]string{"GET /check-runs", "POST /check-runs", "PATCH /check-runs/"}, func(t *testing.T, c *Client, s *contract.Server) error {
		k, err := c.StartCheck(t.Context(), CheckSpec{Name: "QA", SHA: s.Head, Place: here})
		if err != nil {
			return err
		}
		_, err = k.Complete(t.Context(), qa.CheckOutput{Title: "t", Summary: "s", Conclusion: "success"})
		return err
	}},
	"freshness": {[]string{"GET /pulls/7"}, func(t *testing.T, c *Client, s *contract.Server) error { return c.Fresh(t.Context(), 7, s.Head) }},
}

// TestEveryPublisherAndEveryRefusal: whatever GitHub answers to whichever
// request, it ends in one error that names the reason, or in the work done once.
func TestEveryPublisherAndEveryRefusal(t *testing.T) {
	t.Parallel()
	const secondary = "You have exceeded a secondary rate limit. Please wait."
	refusals := map[string]struct {
		refusal contract.Refusal
		is      error // of a refusal that stays
		// once is whether the work is done after a single one.
		once bool
	}{
		"403":       {refuse(403, nil, "Resource not accessible by integration"), ErrForbidden, false},
		"404":       {refuse(404, nil, "Not Found"), nil, false},
		"410":       {refuse(410, nil, "Gone"), nil, false},
		"422":       {refuse(422, nil, "Validation Failed"), nil, false},
		"500":       {refuse(500, nil, "Server Error"), nil, true},
		"429":       {refuse(429, map[string]string{"Retry-After": "9"}, "slow down"), ErrRateLimited, true},
		"secondary": {refuse(403, nil, secondary), ErrRateLimited, true},
	}
	for name, p := range publishers {
		for _, request := range p.requests {
			for code, r := range refusals {
				t.Run(name+"/"+request+"/"+code, func(t *testing.T) {
					t.Parallel()
					s := contract.New(t)
					failing(s, request, always, r.refusal)
					c, k := connect(t, s)
					err := p.publish(t, c, s)
					assert.Assert(t, err != nil)
					if r.is != nil {
						assert.Assert(t, errors.Is(err, r.is), "%v", err)
					} else {
						assert.ErrorContains(t, err, fmt.Sprint(r.refusal.Status))
					}
					assert.Assert(t, len(s.Requests) <= 30, "%d requests", len(s.Requests))
					assert.Assert(t, k.at.Sub(time.Unix(1_800_000_000, 0)) < 10*time.Minute, "waited %v", k.slept)

					s = contract.New(t)
					failing(s, request, 1, r.refusal)
					c, _ = connect(t, s)
					err = p.publish(t, c, s)
					// A comment that is gone is made again, and a check run whose
					// content is refused is completed without it.
					gone := code == "404" && strings.HasPrefix(request, "PATCH /issues")
					if r.once || gone {
						assert.NilError(t, err)
					} else {
						assert.Assert(t, err != nil)
					}
					assert.Assert(t, len(s.Comments) <= 1+map[bool]int{true: 1}[gone])
					assert.Assert(t, len(s.Checks) <= 1)
					if code == "422" && strings.HasPrefix(request, "PATCH /check-runs") {
						assert.Equal(t, s.Checks[0].Status+" "+s.Checks[0].Conclusion, "completed success")
						assert.Assert(t, strings.Contains(s.Checks[0].Summary, "GitHub refused the report"))
					}
				})
			}
		}
	}
}

// TestLostReplies: the work was done, only nobody heard of it.
func TestLostReplies(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	lost := func(request string, done func()) {
		s.OnRequest = func(s *contract.Server, got string) {
			if strings.Contains(got, request) {
				s.OnRequest = nil
				done()
				s.Refusals = []contract.Refusal{refuse(502, nil, "Bad Gateway")}
			}
		}
	}
	body := here.marker() + "\n" + digestLine("report") + "\nreport"
	lost("POST /repos/octo-org/shop/issues/7/comments", func() {
		s.Comments = append(s.Comments, contract.Comment{ID: 1, Author: contract.Bot, Bot: true, Body: body})
	})
	done, _, err := c.PutComment(t.Context(), 7, here, "report")
	assert.NilError(t, err)
	assert.Equal(t, done+fmt.Sprint(len(s.Comments)), unchanged+"1")

	lost("POST /repos/octo-org/shop/check-runs", func() {
		s.Checks = append(s.Checks, contract.Check{ID: 2, Name: "QA", SHA: s.Head, ExternalID: here.ID(), Status: "in_progress"})
	})
	_, err = c.StartCheck(t.Context(), CheckSpec{Name: "QA", SHA: s.Head, Place: here})
	assert.NilError(t, err)
	assert.Equal(t, len(s.Checks), 1)
}

// TestCommentDeletedMeanwhile: somebody deletes it between our look and our
// edit.
func TestCommentDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	_, _, err := c.PutComment(t.Context(), 7, here, "first")
	assert.NilError(t, err)
	s.OnRequest = func(s *contract.Server, got string) {
		if strings.HasPrefix(got, http.MethodPatch) {
			s.Comments = nil
		}
	}
	done, _, err := c.PutComment(t.Context(), 7, here, "second")
	assert.NilError(t, err)
	assert.Equal(t, done+fmt.Sprint(len(s.Comments)), created+"1")
	assert.Assert(t, strings.HasSuffix(s.Comments[0].Body, "second"))
}

// TestCheckRunOfAnotherApp may not be taken over, so we make our own.
func TestCheckRunOfAnotherApp(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	s.Checks = []contract.Check{{ID: 55, Name: "QA", SHA: s.Head, ExternalID: here.ID(), App: "other-app", Status: "completed", Conclusion: "success"}}
	failing(s, "PATCH /check-runs/55", always, refuse(403, nil, "Invalid app_id - check run can only be modified by the GitHub App that created it."))
	c, _ := connect(t, s)
	k, err := c.StartCheck(t.Context(), CheckSpec{Name: "QA", SHA: s.Head, Place: here})
	assert.NilError(t, err)
	_, err = k.Complete(t.Context(), qa.CheckOutput{Title: "t", Summary: "s", Conclusion: "failure"})
	assert.NilError(t, err)
	assert.Equal(t, len(s.Checks), 2)
	assert.Equal(t, s.Checks[1].Conclusion, "failure")
}

// TestClosedMeanwhile: a pull request that was given up gets no report, one that
// was merged does.
func TestClosedMeanwhile(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	s.State = "closed"
	err := c.Fresh(t.Context(), 7, s.Head)
	assert.Assert(t, errors.Is(err, ErrClosed) && !errors.Is(err, ErrStale), "%v", err)
	s.Merged = true
	assert.NilError(t, c.Fresh(t.Context(), 7, s.Head))
}
