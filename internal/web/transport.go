package web

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// transport holds replies to their limits, under whatever client is put on top:
// libraries bring their own.
type transport struct {
	limits Limits
	next   http.RoundTripper
}

// RoundTrip does one request. The deadline goes with the body; a redirect has
// what is left of the request that led to it.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	r := &reply{limits: t.limits, where: address(req.URL), caller: req.Context()}
	ctx, cancel := t.within(r, req)
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		err = r.explain(ctx, err)
		cancel()
		return nil, err
	}
	r.ctx, r.cancel = ctx, cancel
	r.open(resp)
	if err := t.accept(r, req, resp); err != nil {
		_ = r.Close()
		return nil, err
	}
	return resp, nil
}

// within gives a request its time.
func (t *transport) within(r *reply, req *http.Request) (context.Context, context.CancelFunc) {
	if t.limits.Time == 0 {
		return context.WithCancel(req.Context())
	}
	r.deadline = time.Now().Add(t.limits.Time)
	if req.Response != nil {
		if before, ok := req.Response.Body.(*reply); ok {
			r.deadline = before.deadline
		}
	}
	return context.WithDeadline(req.Context(), r.deadline)
}

// accept looks at the header of a reply.
func (t *transport) accept(r *reply, req *http.Request, resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		to, err := resp.Location()
		if err != nil {
			return r.refuse(ErrRedirect, "it answers "+resp.Status+" without an address that can be read")
		}
		read := req.Method == http.MethodGet || req.Method == http.MethodHead
		if !read || t.limits.Follow == nil || !t.limits.Follow(req.URL, to) {
			return r.refuse(ErrRedirect, "it leads on to "+address(to)+", where nothing was sent")
		}
	}
	if t.limits.Bytes > 0 && resp.ContentLength > t.limits.Bytes {
		return r.tooLarge()
	}
	return nil
}

// headerTooLarge recognises what net/http says of it; it has no error value.
func headerTooLarge(err error) bool {
	text := err.Error()
	return strings.Contains(text, "response headers exceeded") || strings.Contains(text, "header list larger")
}
