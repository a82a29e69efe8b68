package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// small are limits that a test reaches at once.
var small = Limits{Name: "peer", Bytes: 1 << 20, JSON: jsonscan.Bounds{Values: 1000, Depth: 20}, Time: 30 * time.Second, Next: "do something"}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// endless writes until the other side hangs up, and counts.
func endless(w io.Writer, what string, sent *atomic.Int64) {
	for chunk := []byte(strings.Repeat(what, 4096)); ; {
		n, err := w.Write(chunk)
		sent.Add(int64(n))
		if err != nil {
			return
		}
	}
}

// hijack answers with bytes that no server of net/http would write.
func hijack(w http.ResponseWriter, answer func(net.Conn)) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	answer(conn)
}

func TestRepliesAreBounded(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	assert.NilError(t, fixture.Bomb(&packed, 64))
	var sent atomic.Int64
	tests := map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		limits func(*Limits)
		read   int64 // bytes that the reader gets, at most
		err    error
		text   string
	}{
		"whole": {answer: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, zeros{}, 1<<20) }, read: 1 << 20},
		"one byte more": {answer: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, zeros{}, 1<<20+1) },
			read: 1 << 20, err: ErrTooLarge, text: "larger than 1 MiB"},
		"announced": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1048577")
			w.WriteHeader(200)
		},
			err: ErrTooLarge, text: "larger than 1 MiB"},
		"gzip bomb": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		}, read: 1 << 20, err: ErrTooLarge, text: "larger than 1 MiB unpacked"},
		"truncated gzip": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes()[:20])
		}, read: 1000, err: ErrBroken, text: "cannot be read to its end: unexpected EOF"},
		"no gzip at all": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write([]byte("plain text, whatever the header says"))
		}, err: ErrBroken, text: "gzip"},
		"endless body": {answer: func(w http.ResponseWriter, _ *http.Request) { endless(w, "a", &sent) }, read: 1 << 20, err: ErrTooLarge},
		"endless header": {answer: func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: "); endless(c, "a", &sent) })
		}, err: ErrTooLarge, text: "the header of the reply is larger than 256 KiB"},
		"endless fields": {answer: func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"); endless(c, "A: b\r\n", &sent) })
		}, err: ErrTooLarge, text: "the header of the reply is larger than 256 KiB"},
		"endless early hints": {answer: func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(c net.Conn) { endless(c, "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n", &sent) })
		}, err: ErrTooLarge},
		"endless trailer": {answer: func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(c net.Conn) {
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n")
				endless(c, "A: b\r\n", &sent)
			})
		}, read: 1, err: ErrBroken},
		"slow drip": {answer: func(w http.ResponseWriter, r *http.Request) {
			for {
				_, _ = io.WriteString(w, "a")
				_ = http.NewResponseController(w).Flush()
				select {
				case <-r.Context().Done():
					return
				case <-time.After(time.Second):
				}
			}
		}, limits: func(l *Limits) { l.Time = 1500 * time.Millisecond }, read: 3, err: ErrTooLate, text: "not there to its last byte after 1.5s"},
		"slow header": {answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			limits: func(l *Limits) { l.Time = 100 * time.Millisecond }, err: ErrTooLate, text: "after 100ms"},
		"less than announced": {answer: func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc") })
		}, read: 3, err: ErrBroken, text: "unexpected EOF"},
		"more than announced": {answer: func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(c net.Conn) {
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\n")
				endless(c, "a", &sent)
			})
		}, read: 3},
		"many values": {answer: func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "["+strings.Repeat("{},", 600)+"{}]")
		}, err: ErrTooLarge, text: "more than 1000 values"},
		"deep": {answer: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("[", 21)) },
			err: ErrTooLarge, text: "more than 20 levels of nesting"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(tt.answer))
			defer server.Close()
			limits := small
			if tt.limits != nil {
				tt.limits(&limits)
			}
			n, err := fetch(t, Client(limits), server.URL+"/path?key=hidden")
			assert.Check(t, n <= tt.read, "%d bytes were read, expected at most %d", n, tt.read)
			if tt.err == nil {
				assert.NilError(t, err)
				assert.Equal(t, n, tt.read)
				return
			}
			assert.ErrorIs(t, err, tt.err)
			refused := Refused(err).Error()
			assert.Check(t, strings.Contains(refused, tt.text) && strings.Contains(refused, `peer at "`+server.URL+`/path": `), refused)
			assert.Check(t, strings.HasSuffix(refused, "; do something") && !strings.Contains(refused, "hidden"), refused)
		})
	}
	t.Cleanup(func() { // what the other side could get rid of: buffers of the sockets
		assert.Check(t, sent.Load() < 64<<20, "%d bytes were sent", sent.Load())
	})
}

// fetch counts what of a reply can be read.
func fetch(t *testing.T, c *http.Client, address string) (int64, error) {
	t.Helper()
	defer c.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	assert.NilError(t, err)
	resp, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	return io.Copy(io.Discard, resp.Body)
}

// TestHeaderOfHTTP2 is bounded, too; the library calls it an error of protocol.
func TestHeaderOfHTTP2(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := range 1000 {
			w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("a", 1000))
		}
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	base := server.Client().Transport.(*http.Transport).Clone()
	n, err := fetch(t, over(small, base), server.URL)
	assert.ErrorContains(t, err, "PROTOCOL_ERROR")
	assert.Equal(t, n, int64(0))
}

// TestRedirectsAreRefused: neither prompt nor key reach the other address.
func TestRedirectsAreRefused(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, other.URL+"/elsewhere?token=reflected", code)
			}))
			limits := small
			if method == http.MethodPost {
				limits.Follow = func(*url.URL, *url.URL) bool { return true } // never what has a body
			}
			// Clients of others on top follow by themselves.
			for _, c := range []*http.Client{Client(limits), {Transport: Client(limits).Transport}} {
				req, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/v1", strings.NewReader("prompt"))
				assert.NilError(t, err)
				req.Header.Set("Authorization", "Bearer secret")
				_, err = c.Do(req) //nolint:bodyclose // there is none
				assert.ErrorIs(t, err, ErrRedirect)
				text := Refused(err).Error()
				assert.Check(t, strings.Contains(text, server.URL+"/v1") && strings.Contains(text, other.URL+"/elsewhere") && !strings.Contains(text, "reflected"), text)
				assert.Check(t, Refused(err).Final())
			}
			server.Close()
		}
	}
	assert.Equal(t, reached.Load(), int64(0))
}

// TestFollowedWithoutCredentials: a file may lie at another host, which gets to
// know nothing.
func TestFollowedWithoutCredentials(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []http.Header
	note := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.Header.Clone())
		_, _ = io.WriteString(w, "file")
	}
	other := httptest.NewServer(http.HandlerFunc(note))
	defer other.Close()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) })
	mux.HandleFunc("/near", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/here", http.StatusFound) })
	mux.HandleFunc("/here", note)
	limits := small
	limits.Follow = func(*url.URL, *url.URL) bool { return true }
	for _, path := range []string{"/away", "/near"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		assert.NilError(t, err)
		for _, name := range []string{"Authorization", "Api-Key", "Cookie", "X-Token"} {
			req.Header.Set(name, "secret")
		}
		req.Header.Set("Accept", "text/plain")
		resp, err := Client(limits).Do(req)
		assert.NilError(t, err)
		assert.NilError(t, resp.Body.Close())
	}
	assert.Equal(t, len(got), 2)
	assert.Check(t, !strings.Contains(fmt.Sprint(got[0]), "secret") && got[0].Get("Referer") == "", "%v", got[0])
	assert.Equal(t, got[0].Get("Accept"), "text/plain")
	assert.Equal(t, got[1].Get("Api-Key"), "secret")
}

func TestRedirectsEnd(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/"+strings.Repeat("a", asked), http.StatusFound)
	}))
	defer server.Close()
	limits := small
	limits.Follow = onward
	_, err := fetch(t, Client(limits), server.URL)
	assert.ErrorIs(t, err, ErrRedirect)
	assert.Equal(t, asked, maxHops+1)
}

// TestTimeIsThatOfAllHops: each redirect takes a part of the time.
func TestTimeIsThatOfAllHops(t *testing.T) {
	t.Parallel()
	asked := atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(400 * time.Millisecond):
		}
		http.Redirect(w, r, fmt.Sprint("/", asked.Add(1)), http.StatusFound)
	}))
	defer server.Close()
	limits := small
	limits.Follow, limits.Time = onward, 1000*time.Millisecond
	_, err := fetch(t, Client(limits), server.URL)
	assert.ErrorIs(t, err, ErrTooLate)
}

func TestOnward(t *testing.T) {
	t.Parallel()
	for pair, want := range map[string]bool{
		"https://a/x https://b/y": true, "http://a/x https://b/y": true, "http://a/x http://a/y": true,
		"https://a/x http://a/y": false, "http://a/x http://b/y": false, "http://a/x file:///etc/passwd": false,
	} {
		from, to, _ := strings.Cut(pair, " ")
		f, err1 := url.Parse(from)
		g, err2 := url.Parse(to)
		assert.NilError(t, errors.Join(err1, err2))
		assert.Equal(t, onward(f, g), want, pair)
	}
}
