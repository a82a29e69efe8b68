package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/contract"
)

// clock is a time that moves only when somebody sleeps.
type clock struct {
	at    time.Time
	slept []time.Duration
}

func (c *clock) sleep(_ context.Context, d time.Duration) error {
	c.slept = append(c.slept, d)
	c.at = c.at.Add(d)
	return nil
}

func connect(t *testing.T, s *contract.Server) (*Client, *clock) {
	t.Helper()
	k := &clock{at: time.Unix(1_800_000_000, 0)}
	c, err := New(Options{URL: s.URL, Token: contract.Token, Owner: "octo-org", Repo: "shop", Version: "test", Sleep: k.sleep, Now: func() time.Time { return k.at }})
	assert.NilError(t, err)
	return c, k
}

var here = Place{Workflow: "CI / PR -->", Job: "qa", Key: "default"}

func TestCommentIsOneAndStaysOne(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	// A marker that somebody else wrote, and more comments than two pages hold.
	s.Comments = append(s.Comments, contract.Comment{ID: 1, Author: "mallory", Body: here.marker() + "\nspoofed"})
	for i := range 230 {
		s.Comments = append(s.Comments, contract.Comment{ID: int64(10 + i), Author: "alice", Body: "hello"})
	}
	c, _ := connect(t, s)
	steps := []struct{ body, want string }{{"first", created}, {"first", unchanged}, {"second", updated}, {"second", unchanged}}
	for _, step := range steps {
		done, address, err := c.PutComment(t.Context(), 7, here, step.body)
		assert.NilError(t, err)
		assert.Equal(t, done, step.want)
		assert.Assert(t, strings.Contains(address, "#issuecomment-"), address)
	}
	assert.Equal(t, len(s.Comments), 232)
	assert.Equal(t, s.Comments[0].Body, here.marker()+"\nspoofed")
	last := s.Comments[231].Body
	assert.Assert(t, strings.HasPrefix(last, "<!-- qa-action:v1:CI%20%2F%20PR%20%2D%2D%3E:qa:default -->\n"), last)
	assert.Assert(t, strings.HasSuffix(last, "\nsecond"), last)
}

func TestCommentsOfOtherPlacesAreLeftAlone(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	for _, key := range []string{"a", "b", "a"} {
		_, _, err := c.PutComment(t.Context(), 7, Place{Workflow: "w", Job: "j", Key: key}, "for "+key)
		assert.NilError(t, err)
	}
	assert.Equal(t, len(s.Comments), 2)
}

func TestYoungerDuplicateGoes(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	s.OnCreate = func(s *contract.Server) { // another run was faster
		s.Comments = append(s.Comments, contract.Comment{ID: s.ID(), Author: contract.Bot, Bot: true, Body: here.marker() + "\n\nits report"})
	}
	done, _, err := c.PutComment(t.Context(), 7, here, "our report")
	assert.NilError(t, err)
	assert.Equal(t, done, updated)
	assert.Equal(t, len(s.Comments), 1)
	assert.Assert(t, strings.HasSuffix(s.Comments[0].Body, "our report"))
}

func TestCommentOfAPersonalToken(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	s.User = "ci-user"
	s.Comments = []contract.Comment{{ID: 1, Author: "mallory", Body: here.marker() + "\nspoofed"}}
	c, _ := connect(t, s)
	for _, want := range []string{created, updated} {
		done, _, err := c.PutComment(t.Context(), 7, here, want)
		assert.NilError(t, err)
		assert.Equal(t, done, want)
	}
	assert.Equal(t, len(s.Comments), 2)
}

func TestForkTokenIsForbiddenAndNotRetried(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	s.ReadOnly = true
	c, k := connect(t, s)
	_, _, err := c.PutComment(t.Context(), 7, here, "x")
	assert.Assert(t, errors.Is(err, ErrForbidden), "%v", err)
	assert.ErrorContains(t, err, "Resource not accessible by integration")
	_, err = c.StartCheck(t.Context(), CheckSpec{Name: "QA report (qa)", SHA: s.Head, Place: here})
	assert.Assert(t, errors.Is(err, ErrForbidden), "%v", err)
	assert.Equal(t, len(s.Log(http.MethodPost)), 2)
	for _, d := range k.slept {
		assert.Assert(t, d <= time.Second, "waited %s for a permission", d)
	}
}

func TestCheckRun(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	spec := CheckSpec{Name: "QA report (qa)", SHA: s.Head, Place: here, DetailsURL: "https://github.com/octo-org/shop/actions/runs/1"}
	k, err := c.StartCheck(t.Context(), spec)
	assert.NilError(t, err)
	assert.Equal(t, s.Checks[0].Status, "in_progress")
	var all []qa.Annotation
	for i := range 312 {
		all = append(all, qa.Annotation{Path: "a.go", Lines: qa.Range{Start: i + 1, End: i + 1}, Level: qa.LevelWarning, Title: fmt.Sprint(i), Message: "m"})
	}
	shown, err := k.Complete(t.Context(), qa.CheckOutput{Title: strings.Repeat("é", 300), Summary: strings.Repeat("ü", 60_000), Text: strings.Repeat("x", 70_000), Annotations: all, Conclusion: "failure"})
	assert.NilError(t, err)
	assert.Equal(t, shown, 200)
	got := s.Checks[0]
	assert.Equal(t, got.Status+" "+got.Conclusion, "completed failure")
	assert.Equal(t, len(got.Annotations), 200)
	assert.Equal(t, got.Updates, 5) // created, and 50 four times
	assert.Assert(t, strings.Contains(got.Summary, "200 of 312 annotations"))
	// What is noted stays noted, so a second attempt makes one of its own, which
	// a third takes over.
	for range 2 {
		_, err = c.StartCheck(t.Context(), spec)
		assert.NilError(t, err)
		assert.Equal(t, len(s.Checks), 2)
		assert.Equal(t, s.Checks[1].Status, "in_progress")
		assert.Equal(t, len(s.Checks[1].Annotations), 0)
	}
}

func TestCheckRunIsCompleteAlthoughABatchFails(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	k, err := c.StartCheck(t.Context(), CheckSpec{Name: "QA", SHA: s.Head, Place: here})
	assert.NilError(t, err)
	all := make([]qa.Annotation, 60)
	for i := range all {
		all[i] = qa.Annotation{Path: "a.go", Lines: qa.Range{Start: 1, End: 1}, Level: qa.LevelNotice, Message: "m"}
	}
	s.OnUpdate = func(s *contract.Server) {
		s.Refusals = []contract.Refusal{{Status: http.StatusForbidden, Message: "Resource not accessible by integration"}}
	}
	shown, err := k.Complete(t.Context(), qa.CheckOutput{Title: "t", Summary: "s", Annotations: all, Conclusion: "success"})
	assert.Assert(t, errors.Is(err, ErrForbidden), "%v", err)
	assert.Equal(t, shown, 50)
	assert.Equal(t, s.Checks[0].Conclusion, "success")
}

func refuse(status int, header map[string]string, message string) contract.Refusal {
	return contract.Refusal{Status: status, Header: header, Message: message}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	reset := strconv.FormatInt(1_800_000_030, 10)
	for name, c := range map[string]struct {
		refusals []contract.Refusal
		want     []time.Duration // slept
		err      error
	}{
		"retry after":           {[]contract.Refusal{refuse(429, map[string]string{"Retry-After": "7"}, "slow down")}, []time.Duration{7 * time.Second}, nil},
		"retry after on 403":    {[]contract.Refusal{refuse(403, map[string]string{"Retry-After": "3"}, "x")}, []time.Duration{3 * time.Second}, nil},
		"primary limit":         {[]contract.Refusal{refuse(403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}, "API rate limit exceeded")}, []time.Duration{31 * time.Second}, nil},
		"secondary, no header":  {[]contract.Refusal{refuse(403, nil, "You have exceeded a secondary rate limit.")}, []time.Duration{time.Minute}, nil},
		"twice":                 {[]contract.Refusal{refuse(429, nil, "x"), refuse(429, nil, "x")}, []time.Duration{time.Minute, 2 * time.Minute}, nil},
		"longer than the limit": {[]contract.Refusal{refuse(429, map[string]string{"Retry-After": "3600"}, "x")}, nil, ErrRateLimited},
		"permission":            {[]contract.Refusal{refuse(403, nil, "Resource not accessible by integration")}, nil, ErrForbidden},
		"permission, some left": {[]contract.Refusal{refuse(403, map[string]string{"X-RateLimit-Remaining": "900"}, "no")}, nil, ErrForbidden},
		"server error":          {[]contract.Refusal{refuse(502, nil, "Bad Gateway")}, []time.Duration{time.Second}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := contract.New(t)
			s.Refusals = c.refusals
			client, k := connect(t, s)
			_, err := client.Pull(t.Context(), 7)
			assert.Assert(t, errors.Is(err, c.err), "%v", err)
			assert.Equal(t, cmp.Diff(c.want, k.slept), "")
		})
	}
}

func TestWritesAreSpacedAndNotRepeatedBlindly(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, k := connect(t, s)
	for _, body := range []string{"a", "b"} {
		_, _, err := c.PutComment(t.Context(), 7, here, body)
		assert.NilError(t, err)
	}
	assert.Equal(t, cmp.Diff([]time.Duration{time.Second}, k.slept), "")
	s.Lock()
	s.Comments, s.Refusals = nil, []contract.Refusal{refuse(502, nil, "Bad Gateway")}
	s.Unlock()
	before := len(s.Log(http.MethodPost))
	_, err := c.StartCheck(t.Context(), CheckSpec{Name: "QA", SHA: s.Head, Place: here})
	assert.NilError(t, err) // the refusal hit the GET, which is repeated
	assert.Equal(t, len(s.Log(http.MethodPost)), before+1)
}

func TestPullRequestsAndFiles(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	s.ChangedFiles, s.HeadRepo = 3100, "mallory/shop"
	s.Permissions = map[string]string{"alice": "write", "bob": "read"}
	c, _ := connect(t, s)
	files, total, err := c.Files(t.Context(), 7)
	assert.NilError(t, err)
	assert.Equal(t, len(files), 3000)
	assert.Equal(t, total, 3100)
	sha, err := c.MergeBase(t.Context(), s.Base, s.Head)
	assert.NilError(t, err)
	assert.Equal(t, sha, s.MergeBase)
	p, err := c.PullAt(t.Context(), "mallory", "mallory/shop", "feature", s.Head)
	assert.NilError(t, err)
	assert.Equal(t, p.Number, 7)
	for _, other := range [][2]string{{"mallory/shop", s.Base}, {"eve/shop", s.Head}} { // another commit, another fork
		p, err = c.PullAt(t.Context(), "mallory", other[0], "feature", other[1])
		assert.NilError(t, err)
		assert.Assert(t, p == nil)
	}
	assert.NilError(t, c.Fresh(t.Context(), 7, s.Head))
	assert.Assert(t, errors.Is(c.Fresh(t.Context(), 7, s.Base), ErrStale))
	assert.NilError(t, c.MayWrite(t.Context(), Comment{Author: "alice", Association: "MEMBER"}))
	for _, who := range []Comment{{Author: "bob", Association: "MEMBER"}, {Author: "alice", Association: "NONE"}, {Author: "eve", Association: "CONTRIBUTOR"}} {
		assert.Assert(t, errors.Is(c.MayWrite(t.Context(), who), ErrNotAllowed), "%v", who)
	}
}

// TestServerRefuses shows that the contract can be broken at all.
func TestServerRefuses(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	s.Broken()
	s.ChangedFiles = 301
	notes := strings.Repeat(`{"path":"a","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"},`, 51)
	for name, r := range map[string]struct {
		method, path, accept, body string
		want                       int
	}{
		"51 annotations":   {"POST", "/repos/octo-org/shop/check-runs", "", `{"name":"n","head_sha":"` + s.Head + `","output":{"title":"t","summary":"s","annotations":[` + strings.TrimSuffix(notes, ",") + `]}}`, 422},
		"summary in bytes": {"POST", "/repos/octo-org/shop/check-runs", "", `{"name":"n","head_sha":"` + s.Head + `","output":{"title":"t","summary":"` + strings.Repeat("é", 40_000) + `"}}`, 422},
		"no comment body":  {"POST", "/repos/octo-org/shop/issues/7/comments", "", `{}`, 422},
		"large comment":    {"POST", "/repos/octo-org/shop/issues/7/comments", "", `{"body":"` + strings.Repeat("x", 65_537) + `"}`, 422},
		"diff too large":   {"GET", "/repos/octo-org/shop/pulls/7", "application/vnd.github.v3.diff", "", 406},
	} {
		req, err := http.NewRequestWithContext(t.Context(), r.method, s.URL+r.path, strings.NewReader(r.body))
		assert.NilError(t, err)
		req.Header.Set("Authorization", "Bearer "+contract.Token)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", r.accept)
		resp, err := http.DefaultClient.Do(req)
		assert.NilError(t, err)
		assert.NilError(t, resp.Body.Close())
		assert.Equal(t, resp.StatusCode, r.want, name)
	}
}

// TestDismissals: whoever may write is heard, on every page of comments, and the host
// is asked once for each of them.
func TestDismissals(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	s.Permissions["alice"], s.Permissions["bob"] = "write", "read"
	say := func(author, association, body string) {
		s.Comments = append(s.Comments, contract.Comment{ID: s.ID(), Author: author, Association: association, At: "2026-11-20T10:00:00Z", Body: body})
	}
	for range 130 {
		say("carol", "MEMBER", "hello")
	}
	say("alice", "MEMBER", "/qa dismiss 3f2a9c0d a test key")
	say("alice", "OWNER", "/qa dismiss 00112233 another")
	say("bob", "MEMBER", "/qa dismiss 44556677 trust me")
	say("mallory", "CONTRIBUTOR", "/qa dismiss 44556677 trust me")
	say("alice", "MEMBER", "/qa dismiss 44556677")
	answer := func(author, association, at, body string) {
		s.Remarks = append(s.Remarks, contract.Remark{ID: s.ID(), Author: author, Association: association, At: at, Body: body, ReplyTo: 1})
	}
	answer("alice", "MEMBER", "2026-11-20T09:00:00Z", "/qa dismiss 3f2a9c0d said before")
	answer("mallory", "NONE", "2026-11-20T09:00:00Z", "/qa dismiss 3f2a9c0d said before")
	c, _ := connect(t, s)
	said, ignored, err := dismissals(t.Context(), c, 7)
	assert.NilError(t, err)
	var got []string
	for _, d := range said {
		got = append(got, d.Print+" "+d.By+" "+d.At.Format("15:04")+" "+d.Reason)
	}
	assert.DeepEqual(t, got, []string{"3f2a9c0d alice 09:00 said before", "3f2a9c0d alice 10:00 a test key", "00112233 alice 10:00 another"})
	assert.Equal(t, len(ignored), 4)
}
