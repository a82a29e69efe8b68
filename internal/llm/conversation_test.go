package llm

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
)

// conversation is what an endpoint and the client say to each other: options of the
// client, and requests with their replies as they go over the wire. A request has its
// first line, the headers that it must have or, after "-", must not have, and what its
// body must contain or, after "-", must not.
type conversation struct {
	options map[string]string
	turns   []turn
	want    string
}

type turn struct {
	line           string
	headers, parts []string
	reply          []byte
}

func readConversation(t *testing.T, file string) (c conversation, all *txtar.Archive) {
	t.Helper()
	all, err := txtar.ParseFile(file)
	assert.NilError(t, err)
	c.options = map[string]string{}
	for _, f := range all.Files {
		text := string(f.Data)
		switch kind, _, _ := strings.Cut(f.Name, " "); kind {
		case "options":
			for line := range strings.Lines(text) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
				c.options[key] = value
			}
		case "request":
			head, body, _ := strings.Cut(text, "\n\n")
			lines := strings.Split(strings.TrimSpace(head), "\n")
			c.turns = append(c.turns, turn{line: lines[0], headers: lines[1:], parts: strings.FieldsFunc(body, func(r rune) bool { return r == '\n' })})
		case "reply":
			c.turns[len(c.turns)-1].reply = f.Data
		case "want":
			c.want = text
		default:
			t.Fatalf("%s: what is %q?", file, f.Name)
		}
	}
	return c, all
}

// serve answers a request with the next reply.
func (c conversation) serve(t *testing.T) http.HandlerFunc {
	var mu sync.Mutex
	n := 0
	t.Cleanup(func() {
		if n != len(c.turns) {
			t.Errorf("%d requests of %d", n, len(c.turns))
		}
	})
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, err := io.ReadAll(r.Body)
		if n >= len(c.turns) || err != nil {
			t.Errorf("request %d: %s %s %v", n+1, r.Method, r.RequestURI, err)
			http.Error(w, "that is all", http.StatusTeapot)
			return
		}
		now := c.turns[n]
		n++
		now.hold(t, n, r, string(body))
		res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(now.reply)), r)
		if err != nil {
			t.Errorf("reply %d: %v", n, err)
			return
		}
		defer res.Body.Close()
		for name, values := range res.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	}
}

// hold holds what was sent against what the conversation has.
func (t turn) hold(tb testing.TB, n int, r *http.Request, body string) {
	if got := r.Method + " " + r.RequestURI; got != t.line {
		tb.Errorf("request %d is %q, not %q", n, got, t.line)
	}
	for _, h := range t.headers {
		if name, unwanted := strings.CutPrefix(h, "-"); unwanted {
			if r.Header.Get(name) != "" {
				tb.Errorf("request %d has %s", n, name)
			}
			continue
		}
		if name, value, _ := strings.Cut(h, ": "); r.Header.Get(name) != value {
			tb.Errorf("request %d: %s is %q", n, name, r.Header.Get(name))
		}
	}
	for _, part := range t.parts {
		part, unwanted := strings.CutPrefix(part, "-")
		if strings.Contains(body, part) == unwanted {
			tb.Errorf("request %d has %s: %v, in %.300s … %s", n, part, unwanted, body, body[max(0, len(body)-600):])
		}
	}
}

// told says what became of a conversation: each answer, what the report says of the
// model, and what a person can read while it runs.
func (c conversation) told(t *testing.T, server string, dial func(context.Context, string, string) (net.Conn, error)) string {
	t.Helper()
	var log, out bytes.Buffer
	var waits []string
	address := c.options["address"]
	if strings.HasPrefix(address, "/") {
		address = server + address
	}
	o := Options{BaseURL: address, APIKey: c.options["key"], Model: c.options["model"], Fallback: c.options["fallback"], Log: &log, Deadline: 30 * time.Second, dial: dial,
		Prices: map[string]Price{c.options["model"]: {Prompt: 1, Completion: 2}},
		sleep: func(_ context.Context, d time.Duration) error {
			waits = append(waits, fmt.Sprint(int(d.Seconds())))
			return nil
		}}
	client, err := New(o)
	assert.NilError(t, err)
	prompt := 1
	if n, err := strconv.Atoi(c.options["lines"]); err == nil {
		prompt = n
	}
	for n := range max(1, len(strings.Fields(c.options["asks"]))) {
		r := Request{Job: "scout/scan", System: "Find what is wrong.", Prompt: strings.Repeat("\tif items[i] == wanted { return check(items[i], \"found\") }\n", prompt), Variant: n}
		r.Divisible = c.options["divisible"] != ""
		v, err := Asker[verdict](client)(t.Context(), r)
		for _, kind := range []error{ErrBudget, ErrUnavailable, ErrReply, ErrTooLong} {
			if errors.Is(err, kind) {
				fmt.Fprintf(&out, "%s\n", err)
				break
			}
		}
		if err == nil {
			fmt.Fprintf(&out, "answer: %s\n", v.Title)
		}
	}
	use := client.Use()
	thoughts := ""
	if use.Thoughts > 0 {
		thoughts = fmt.Sprintf(" (%d of them thoughts)", use.Thoughts)
	}
	if use.Estimated {
		thoughts += " (estimated)"
	}
	fmt.Fprintf(&out, "calls %d, retries %d, cut off %d; %d and %d%s tokens, %s\n", use.Calls, use.Retries, use.Truncated, use.Prompt, use.Completion, thoughts, cost(use))
	if use.Error != "" {
		fmt.Fprintf(&out, "report: %s\n", use.Error)
	}
	if slices.ContainsFunc(waits, func(w string) bool { return w != "0" }) && c.options["waits"] != "" {
		fmt.Fprintf(&out, "waited %s s\n", strings.Join(waits, ", "))
	}
	return strings.ReplaceAll(out.String()+prefixed("log: ", log.String()), server, "http://server")
}

func cost(use qa.ModelUse) string {
	if use.CostUSD == nil {
		return "cost unknown"
	}
	return fmt.Sprintf("$%.6f", *use.CostUSD)
}

func prefixed(with, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "trying again in") { // with a jitter
			b.WriteString(with + line)
		}
	}
	return b.String()
}

// TestConversations: what endpoints of several makes say, over the wire and through the
// client, and what becomes of it.
func TestConversations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/conversation/*.txtar")
	assert.NilError(t, err)
	assert.Assert(t, len(files) > 0)
	page, err := os.ReadFile("../../docs/model.md")
	assert.NilError(t, err)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if name := strings.TrimSuffix(filepath.Base(file), ".txtar"); !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("docs/model.md does not tell of %s", name)
			}
			c, all := readConversation(t, file)
			server := httptest.NewServer(c.serve(t))
			t.Cleanup(server.Close)
			var dial func(context.Context, string, string) (net.Conn, error)
			if !strings.HasPrefix(c.options["address"], "/") {
				dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
					return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
				}
			}
			got := c.told(t, server.URL, dial)
			if golden.FlagUpdate() {
				all.Files = slices.DeleteFunc(all.Files, func(f txtar.File) bool { return f.Name == "want" })
				all.Files = append(all.Files, txtar.File{Name: "want", Data: []byte(got)})
				assert.NilError(t, os.WriteFile(file, txtar.Format(all), 0o644))
				return
			}
			assert.Equal(t, got, c.want)
		})
	}
}
