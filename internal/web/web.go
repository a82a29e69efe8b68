// Package web makes the clients that speak HTTP: nothing else in the program
// makes one. Start at [Client].
//
// Whoever answers may be hostile or broken, and a reply is read by libraries
// that read all there is. So every client has [Limits]: on the bytes of a reply
// after decompression, on its header, on the values of a JSON document, on the
// time until its last byte. Redirects are refused, because a request carries a
// prompt, a key or a token that was meant for the address it was sent to; who
// fetches public files may say where they may lead, and nothing secret goes
// there. What is refused is an [Error] that names the address, the limit and
// what to do.
package web

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/org/qa-action/internal/jsonscan"
)

// Limits are what one kind of reply may have at most.
type Limits struct {
	Name string // who answers, for errors: "model endpoint"
	// Bytes bounds the body after decompression; zero is none, for a stream
	// whose reader keeps a bounded part of it.
	Bytes int64
	// JSON bounds what a decoder would make of the body.
	JSON jsonscan.Bounds
	// Time is from the request to the last byte of the reply, over all
	// redirects; zero leaves it to the context.
	Time time.Duration
	// Follow says where a redirect may lead; nil is nowhere.
	Follow func(from, to *url.URL) bool
	// Next is what a person can do about a reply that is refused.
	Next string
}

const (
	// maxHeader bounds status line and header of a reply.
	maxHeader = 256 << 10
	maxHops   = 5
)

// The kinds of replies. Time and, where files differ, Bytes are the caller's.
var (
	// Model is one completion: a few hundred kilobytes with all reasoning.
	Model = Limits{Name: "model endpoint", Bytes: 4 << 20, JSON: jsonscan.Bounds{Values: 100_000, Depth: 100},
		Next: "check model-base-url: it must be the address of an OpenAI-compatible endpoint itself"}
	// GitHub is one page of the API or one file in base64.
	GitHub = Limits{Name: "GitHub", Bytes: 64 << 20, JSON: jsonscan.Bounds{Values: 1_000_000, Depth: 100}, Time: time.Minute,
		Next: "check GITHUB_API_URL: it must be the address of the API itself, and GITHUB_REPOSITORY: it must have the present name of the repository, which may have been renamed"}
	// Tool is a list of versions or an archive that is held against a checksum.
	Tool = Limits{Name: "download", Time: 10 * time.Minute, Follow: onward,
		Next: "check the mirror that the environment names, or install the tool before the run"}
	// Engine is a reply of the container engine.
	Engine = Limits{Name: "container engine", Bytes: 64 << 20, JSON: jsonscan.Bounds{Values: 1_000_000, Depth: 100}, Time: 2 * time.Minute,
		Next: "check DOCKER_HOST, and that the engine is the one of this machine"}
	// EngineStream is what a container prints; who runs it has its own time and
	// keeps a bounded part.
	EngineStream = Limits{Name: Engine.Name, Next: Engine.Next}
)

// onward lets public files lead to where they are stored, and never from an
// encrypted to a plain connection or from one plain host to another.
func onward(from, to *url.URL) bool {
	return to.Scheme == "https" || to.Scheme == from.Scheme && to.Host == from.Host
}

// Client makes a client with limits. A redirect that may be followed takes no
// header along to another host but what it accepts and who asks.
func Client(l Limits) *http.Client {
	return over(l, http.DefaultTransport.(*http.Transport).Clone()) //nolint:forcetypeassert // nobody replaces it
}

// Local makes a client that reaches one socket whatever the address says.
func Local(l Limits, dial func(context.Context, string, string) (net.Conn, error)) *http.Client {
	return over(l, &http.Transport{DialContext: dial})
}

func over(l Limits, t *http.Transport) *http.Client {
	t.MaxResponseHeaderBytes = maxHeader
	return &http.Client{Transport: &transport{limits: l, next: t}, CheckRedirect: onHop}
}

// onHop prepares the next request of a redirect that the transport let through.
func onHop(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxHops {
		return &Error{Err: ErrRedirect, Who: req.URL.Hostname(), Where: address(first.URL),
			What: "it leads on more than " + strconv.Itoa(maxHops) + " times, at last to " + address(req.URL)}
	}
	if req.URL.Host != first.URL.Host || req.URL.Scheme != first.URL.Scheme {
		kept := http.Header{}
		for _, name := range []string{"Accept", "User-Agent"} {
			if v := first.Header.Values(name); len(v) > 0 {
				kept[name] = v
			}
		}
		req.Header = kept
	}
	return nil
}

// Sleep waits before another try.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
