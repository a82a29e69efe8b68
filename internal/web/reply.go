package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// reply is a body under limits. An error stays: nothing is read after it.
type reply struct {
	limits   Limits
	where    string
	caller   context.Context // of who asked: its end is no fault of the reply
	ctx      context.Context
	cancel   context.CancelFunc
	deadline time.Time
	raw      io.ReadCloser
	body     io.Reader // raw, with what JSON may be
	left     int64
	err      error
}

func (r *reply) open(resp *http.Response) {
	r.raw, r.body, r.left = resp.Body, resp.Body, r.limits.Bytes
	if r.limits.JSON.Values > 0 {
		r.body = r.limits.JSON.Reader(resp.Body)
	}
	resp.Body = r
}

// Read takes one byte more than the limit at most: that it is there tells that
// the reply is larger.
func (r *reply) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	if r.limits.Bytes > 0 {
		p = p[:min(int64(len(p)), r.left+1)]
	}
	n, err := r.body.Read(p)
	if r.limits.Bytes > 0 {
		if r.left -= int64(n); r.left < 0 {
			n, err = 0, r.tooLarge()
		}
	}
	if err != nil {
		if err != io.EOF {
			err = r.explain(r.ctx, err)
		}
		r.err = err
		r.cancel()
	}
	return n, err
}

// Close ends the reply whether it was read or not.
func (r *reply) Close() error {
	r.cancel()
	if r.err == nil {
		r.err = http.ErrBodyReadAfterClose
	}
	return r.raw.Close()
}

// explain makes an error of this package of what ended a reply, except where
// the caller ended it and where it never began.
func (r *reply) explain(ctx context.Context, err error) error {
	switch {
	case errors.As(err, new(*Error)), r.caller.Err() != nil:
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return r.refuse(ErrTooLate, "the reply was not there to its last byte after "+r.limits.Time.String())
	case bounds(err) != "":
		return r.refuse(ErrTooLarge, "the reply has "+bounds(err))
	case headerTooLarge(err):
		return r.refuse(ErrTooLarge, "the header of the reply is larger than "+size(maxHeader))
	case r.raw == nil:
		return err
	}
	broken := r.refuse(ErrBroken, "the reply cannot be read to its end")
	broken.cause = err
	return broken
}

func (r *reply) tooLarge() *Error {
	return r.refuse(ErrTooLarge, "the reply is larger than "+size(r.limits.Bytes)+" unpacked")
}

func (r *reply) refuse(kind error, what string) *Error {
	return &Error{Err: kind, Who: r.limits.Name, Where: r.where, What: what, Next: r.limits.Next}
}
