// Package contract is a GitHub for tests: a server that holds every request and
// every reply to GitHub's own OpenAPI description, and adds what the
// description lacks: paging, permissions of forks, limits in bytes, rate limits.
// Start at [New]. Only tests import it.
package contract

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// description is GitHub's OpenAPI description cut to what is used here; cut.go
// makes it.
//
//go:embed api.github.com.json
var description []byte

var load = sync.OnceValues(func() (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		return nil, err
	}
	return legacy.NewRouter(doc, openapi3.DisableExamplesValidation())
})

// Repository, Token, Bot and App are who lives on the server.
const (
	App        = "github-actions"
	Repository = "octo-org/shop"
	Token      = "ghs_contract_0123456789"
	Bot        = "github-actions[bot]"
)

// Refusal is a reply that is given instead of the real one.
type Refusal struct {
	Status  int
	Header  map[string]string
	Message string
}

// Server is one repository with one pull request. Fields may be set before the
// first request, or under Lock.
type Server struct {
	URL string
	sync.Mutex
	Pull
	Rights
	Hooks
	Comments []Comment
	Reviewed
	// Proposals are pull requests beside the one, within the repository.
	Proposals []Proposal
	Checks    []Check
	// Mainline is the default branch, newest commit first.
	Mainline []string
	// Refusals are given, in order, before anything else.
	Refusals []Refusal
	// Git is what is in the repository's object store.
	Git Git
	// served, where it is set, is a real repository in the place of Git.
	served atomic.Pointer[Served]
	// Requests are the requests seen, "METHOD path".
	Requests []string

	exam
}

// exam is how requests and replies are held against the contract.
type exam struct {
	t      testing.TB
	router routers.Router
	nextID int64
	broken bool // a test breaks the contract on purpose
}

// Pull is the one pull request.
type Pull struct {
	Number       int
	State        string // open or closed
	Merged       bool
	Head, Base   string
	HeadRepo     string
	HeadRef      string
	MergeBase    string
	ChangedFiles int
}

// Rights are what the token of the requests may do.
type Rights struct {
	// ReadOnly is the token of a fork's or Dependabot's run.
	ReadOnly bool
	// User is whom the token belongs to; empty for the job's own token, which
	// may not ask.
	User        string
	Permissions map[string]string // login → permission
}

// Hooks run while the server works: what happens on GitHub in the meantime.
type Hooks struct {
	// OnCreate runs just before a comment is stored: another run's turn.
	OnCreate func(s *Server)
	// OnUpdate runs after a check run was changed.
	OnUpdate func(s *Server)
	// OnRequest runs before a request ("METHOD path") is answered.
	OnRequest func(s *Server, request string)
}

// Reviewed is what stands at the lines of the pull request's diff.
type Reviewed struct {
	// Patches are the diffs of its files as GitHub lists them, by path: hunks alone;
	// empty is one that GitHub leaves out.
	Patches map[string]string
	Remarks []Remark
	Reviews int // how many came
}

// Comment is a comment on the pull request.
type Comment struct {
	ID     int64
	Author string
	Bot    bool
	Body   string
	// Association of the author, and when it was written; empty is nobody, long ago.
	Association, At string
}

// Proposal is a pull request that was made through the API.
type Proposal struct {
	Number      int
	Head, Base  string // branches
	Title, Body string
	State       string // open or closed
	Merged      bool
}

// Check is a check run; Annotations are all that ever arrived.
type Check struct {
	ID                    int64
	Name, SHA, ExternalID string
	App                   string // slug of who made it; empty is [App]
	Status, Conclusion    string
	Title, Summary, Text  string
	Annotations           []map[string]any
	Updates               int
}

// New starts a server; the test fails when anybody breaks the contract.
func New(t testing.TB) *Server {
	t.Helper()
	router, err := load()
	if err != nil {
		t.Fatalf("load GitHub's description: %v", err)
	}
	s := &Server{
		exam: exam{t: t, router: router, nextID: 1000}, Rights: Rights{Permissions: map[string]string{}},
		Pull: Pull{
			Number: 7, State: "open", HeadRepo: Repository, HeadRef: "feature", ChangedFiles: 1,
			Head: strings.Repeat("a", 40), Base: strings.Repeat("b", 40), MergeBase: strings.Repeat("c", 40),
		},
	}
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Broken says that the requests to come break the contract on purpose.
func (s *Server) Broken() { s.broken = true }

func (s *Server) serve(w http.ResponseWriter, req *http.Request) {
	if r := s.served.Load(); r != nil && strings.HasPrefix(req.URL.Path, "/git/") {
		r.transport(w, req) // also while another request waits for it
		return
	}
	s.Lock()
	defer s.Unlock()
	s.Requests = append(s.Requests, req.Method+" "+req.URL.Path)
	body, err := io.ReadAll(req.Body)
	if err != nil {
		s.t.Errorf("contract: read the request: %v", err)
	}
	recorder := httptest.NewRecorder()
	route, params, err := s.router.FindRoute(withPath(req))
	if err != nil {
		s.t.Errorf("contract: %s %s is no operation of GitHub's that we use: %v", req.Method, req.URL, err)
		http.NotFound(w, req)
		return
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	input := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
	for name, value := range params {
		params[name] = strings.ReplaceAll(value, "%2F", "/")
	}
	c := &call{server: s, route: route, params: params, req: req, w: recorder}
	if problem := openapi3filter.ValidateRequest(context.Background(), input); problem != nil {
		if !s.broken {
			s.t.Errorf("contract: %s %s: %v", req.Method, req.URL, problem)
		}
		c.refuse(http.StatusUnprocessableEntity, "Validation Failed")
	} else {
		if len(body) > 0 {
			if err := json.Unmarshal(body, &c.body); err != nil {
				s.t.Errorf("contract: %v", err)
			}
		}
		c.answer()
	}
	result := recorder.Result()
	reply := recorder.Body.Bytes()
	check := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: result.StatusCode, Header: result.Header}
	check.SetBodyBytes(reply)
	if problem := openapi3filter.ValidateResponse(context.Background(), check); problem != nil {
		s.t.Errorf("contract: the reply to %s %s is not what GitHub sends: %v", req.Method, req.URL, problem)
	}
	maps.Copy(w.Header(), result.Header)
	w.WriteHeader(result.StatusCode)
	_, _ = w.Write(reply) // the client may be gone
}

// withPath gives the router an address like that of the description's server.
func withPath(req *http.Request) *http.Request {
	out := req.Clone(context.Background())
	out.URL.Scheme, out.URL.Host = "https", "api.github.com"
	// A ref has slashes, which a parameter of the description cannot have.
	for _, of := range []string{"/git/ref/", "/git/refs/", "/branches/"} {
		if before, ref, found := strings.Cut(out.URL.Path, of); found {
			out.URL.Path = before + of + strings.ReplaceAll(ref, "/", "%2F")
		}
	}
	return out
}

// call is one request being answered.
type call struct {
	server *Server
	route  *routers.Route
	params map[string]string
	req    *http.Request
	body   map[string]any
	w      *httptest.ResponseRecorder
}

// send answers with overlay, completed to what the description requires.
func (c *call) send(status int, overlay any) {
	response := c.route.Operation.Responses.Status(status)
	if response == nil {
		// Not described, as a rate limit is for most operations.
		c.w.Header().Set("Content-Type", "application/json")
		c.w.WriteHeader(status)
		_ = json.NewEncoder(c.w).Encode(overlay)
		return
	}
	media := response.Value.Content.Get("application/json")
	if media == nil {
		c.w.WriteHeader(status)
		return
	}
	c.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	c.w.WriteHeader(status)
	if err := json.NewEncoder(c.w).Encode(fill(media.Schema.Value, overlay)); err != nil {
		c.server.t.Errorf("contract: %v", err)
	}
}

func (c *call) refuse(status int, message string) {
	c.send(status, map[string]any{"message": message, "documentation_url": "https://docs.github.com/rest"})
}

// page cuts a list as GitHub does and links to the next page.
func page[T any](c *call, all []T) []T {
	query := c.req.URL.Query()
	number, size := 1, 30
	_, _ = fmt.Sscan(query.Get("page"), &number)
	_, _ = fmt.Sscan(query.Get("per_page"), &size)
	from := min((number-1)*size, len(all))
	to := min(from+size, len(all))
	if to < len(all) {
		query.Set("page", fmt.Sprint(number+1))
		next := *c.req.URL
		next.RawQuery = query.Encode()
		c.w.Header().Set("Link", fmt.Sprintf(`<%s%s>; rel="next"`, c.server.URL, next.RequestURI()))
	}
	return all[from:to]
}

// Log is the requests of one method, for assertions.
func (s *Server) Log(method string) []string {
	s.Lock()
	defer s.Unlock()
	return slices.DeleteFunc(slices.Clone(s.Requests), func(r string) bool { return !strings.HasPrefix(r, method+" ") })
}
