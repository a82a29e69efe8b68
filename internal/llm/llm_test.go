package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/org/qa-action/internal/output"
)

type verdict struct {
	Title    string  `json:"title"`
	Severity string  `json:"severity" jsonschema:"one of critical, high, medium, low"`
	Lines    []int   `json:"lines"`
	Note     *string `json:"note"`
}

const good = `{"title":"t","severity":"high","lines":[1],"note":null}`

// endpoint answers each call with the next of its replies and keeps the bodies.
type endpoint struct {
	mu      sync.Mutex
	replies []func(http.ResponseWriter)
	bodies  []map[string]any
	header  http.Header // of the last request
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	e.mu.Lock()
	e.bodies, e.header = append(e.bodies, body), r.Header.Clone()
	n := len(e.bodies) - 1
	e.mu.Unlock()
	if n >= len(e.replies) {
		http.Error(w, "no more replies", 500)
		return
	}
	e.replies[n](w)
}

func says(text string) func(http.ResponseWriter) { return finishes(text, "stop") }

func finishes(text, reason string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "1", "object": "chat.completion", "model": "m", "created": 1,
			"choices": []any{map[string]any{"index": 0, "finish_reason": reason, "message": map[string]any{"role": "assistant", "content": text}}},
			"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
		})
	}
}

// calls answers with a call of a function that nobody offered, as some gateways make one
// of every reply that has to be JSON.
func calls(call string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":null,`+call+`}}]}`, good)
	}
}

func refuses(code int, message string, headers ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": "x"}})
	}
}

// open gives a client of an endpoint that answers in order, and the waits the
// client asked for.
func open(t *testing.T, edit func(*Options), replies ...func(http.ResponseWriter)) (*Client, *endpoint, *[]time.Duration) {
	t.Helper()
	e := &endpoint{replies: replies}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	var waits []time.Duration
	o := Options{BaseURL: server.URL + "/v1", APIKey: "k", Model: "m", Deadline: 5 * time.Second,
		sleep: func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }}
	if edit != nil {
		edit(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, e, &waits
}

func ask(c *Client) (verdict, error) {
	return Asker[verdict](c)(context.Background(), Request{Job: "scout/bug", System: "s", Prompt: "p"})
}

func TestStrictSchemaIsSent(t *testing.T) {
	t.Parallel()
	c, e, _ := open(t, nil, says(good))
	v, err := ask(c)
	if err != nil || v.Severity != "high" {
		t.Fatalf("got %+v, %v", v, err)
	}
	format := e.bodies[0]["response_format"].(map[string]any)["json_schema"].(map[string]any)
	raw, err := json.Marshal(format["schema"])
	if err != nil {
		t.Fatal(err)
	}
	if format["strict"] != true || format["name"] != "scout_bug" {
		t.Errorf("format is %v", format)
	}
	for _, want := range []string{`"required":["title","severity","lines","note"]`, `"additionalProperties":false`, `"lines":{"items":{"type":"integer"},"type":"array"}`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("schema lacks %s: %s", want, raw)
		}
	}
	for _, never := range []string{"oneOf", "default"} {
		if strings.Contains(string(raw), never) {
			t.Errorf("schema has %s", never)
		}
	}
}

func TestMisbehaviour(t *testing.T) {
	t.Parallel()
	html := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(502)
		fmt.Fprint(w, "<html>bad gateway</html>")
	}
	never := func(http.ResponseWriter) { time.Sleep(200 * time.Millisecond) }
	for name, c := range map[string]struct {
		replies []func(http.ResponseWriter)
		edit    func(*Options)
		calls   int
		waits   []time.Duration
		err     error
		text    string // of the error
	}{
		"short Retry-After":    {replies: []func(http.ResponseWriter){refuses(429, "slow", "Retry-After", "3"), says(good)}, calls: 2, waits: []time.Duration{3 * time.Second}},
		"absurd Retry-After":   {replies: []func(http.ResponseWriter){refuses(429, "later", "Retry-After", "1e300")}, calls: 1, err: ErrUnavailable, text: "later"},
		"long Retry-After":     {replies: []func(http.ResponseWriter){refuses(429, "daily quota", "Retry-After", "86400")}, calls: 1, err: ErrUnavailable, text: "daily quota"},
		"429 without header":   {replies: []func(http.ResponseWriter){refuses(429, "slow"), says(good)}, calls: 2},
		"5xx with HTML":        {replies: []func(http.ResponseWriter){html, html, html, html}, calls: 4, err: ErrUnavailable, text: "HTTP 502"},
		"5xx passes":           {replies: []func(http.ResponseWriter){html, says(good)}, calls: 2},
		"wrong key":            {replies: []func(http.ResponseWriter){refuses(401, "no")}, calls: 1, err: ErrUnavailable, text: "model-api-key"},
		"shut-down model":      {replies: []func(http.ResponseWriter){refuses(404, "gone")}, calls: 1, err: ErrUnavailable, text: "still offered"},
		"fallback model":       {replies: []func(http.ResponseWriter){refuses(404, "gone"), says(good)}, edit: func(o *Options) { o.Fallback = "n" }, calls: 2},
		"truncated then whole": {replies: []func(http.ResponseWriter){finishes(`{"title":"t","sev`, "length"), says(good)}, calls: 2},
		"wrong schema, mended": {replies: []func(http.ResponseWriter){says(`{"title":1}`), says(good)}, calls: 2},
		"wrong schema twice":   {replies: []func(http.ResponseWriter){says(`{"title":1}`), says(`{}`)}, calls: 2, err: ErrReply, text: "missing properties"},
		"brackets before JSON": {replies: []func(http.ResponseWriter){says("With items[1] of {x} and [1, 2] in mind:\n" + good)}, calls: 1},
		"reasoning before JSON": {replies: []func(http.ResponseWriter){
			says("<think>\nFirst " + strings.Replace(good, `"t"`, `"draft"`, 1) + ", but {no}.\n</think>\n\n" + good),
		}, calls: 1},
		"reasoning alone":   {replies: []func(http.ResponseWriter){says("<think>\n" + good + " or"), says(good)}, calls: 2},
		"a tool call":       {replies: []func(http.ResponseWriter){calls(`"tool_calls":[{"id":"c","type":"function","function":{"name":"answer","arguments":%q}}]`)}, calls: 1},
		"a function call":   {replies: []func(http.ResponseWriter){calls(`"function_call":{"name":"answer","arguments":%q}`)}, calls: 1},
		"prose around JSON": {replies: []func(http.ResponseWriter){says("Sure!\n```json\n" + good + "\n```\n")}, calls: 1},
		"refusal": {replies: []func(http.ResponseWriter){func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"choices":[{"finish_reason":"stop","message":{"role":"assistant","refusal":"I cannot"}}]}`)
		}}, calls: 1, err: ErrReply, text: "refused"},
		"no choices":        {replies: []func(http.ResponseWriter){func(w http.ResponseWriter) { w.Header().Set("Content-Type", "application/json"); fmt.Fprint(w, `{}`) }, says(good)}, calls: 2},
		"parameter dropped": {replies: []func(http.ResponseWriter){refuses(400, "Unsupported parameter: temperature"), says(good)}, calls: 2},
		"weaker formats":    {replies: []func(http.ResponseWriter){refuses(400, "response_format json_schema is not supported"), refuses(400, "response_format unknown"), says(good)}, calls: 3},
		"400 for good":      {replies: []func(http.ResponseWriter){refuses(400, "context too long")}, calls: 1, err: ErrUnavailable, text: "context too long"},
		"slow bytes": {replies: []func(http.ResponseWriter){func(http.ResponseWriter) { time.Sleep(1500 * time.Millisecond) }, says(good)},
			edit: func(o *Options) { o.Deadline = time.Second }, calls: 2},
		"never in time": {replies: []func(http.ResponseWriter){never, never}, edit: func(o *Options) { o.Deadline = 50 * time.Millisecond },
			calls: 2, waits: []time.Duration{0}, err: ErrUnavailable, text: "no reply within 50ms (input model-timeout)"},
		"budget": {replies: nil, edit: func(o *Options) { o.Tokens = 1 }, calls: 0, err: ErrBudget},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, _, waits := open(t, c.edit, c.replies...)
			v, err := ask(client)
			if !errors.Is(err, c.err) || (c.err == nil) != (err == nil) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if err != nil && (!strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "<html>")) {
				t.Errorf("error says %q, want %q", err, c.text)
			}
			if err == nil && v.Title != "t" {
				t.Errorf("got %+v", v)
			}
			if n := client.Use().Calls; n != c.calls {
				t.Errorf("%d calls, want %d", n, c.calls)
			}
			if c.waits != nil && fmt.Sprint(*waits) != fmt.Sprint(c.waits) {
				t.Errorf("waited %v, want %v", *waits, c.waits)
			}
			if err != nil && client.Use().Error == "" {
				t.Error("the failure is not in the manifest")
			}
		})
	}
}

func TestWhatWasLearntIsRemembered(t *testing.T) {
	t.Parallel()
	c, e, _ := open(t, nil, refuses(400, "response_format is not supported"), refuses(400, "unknown parameter seed"), says(good), says(good))
	for i := range 2 {
		if _, err := Asker[verdict](c)(context.Background(), Request{Job: "j", Prompt: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	last := e.bodies[3]
	if _, sent := last["seed"]; sent || last["response_format"].(map[string]any)["type"] != "json_object" {
		t.Errorf("sent %v", last)
	}
}

func TestRepliesAreCachedAndReplayed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, _, _ := open(t, func(o *Options) { o.Store = output.At(dir) }, says(good))
	if _, err := ask(c); err != nil {
		t.Fatal(err)
	}
	again, e, _ := open(t, func(o *Options) { o.Store = output.At(dir); o.Replay = true })
	if _, err := ask(again); err != nil || len(e.bodies) != 0 || again.Use().Cached != 1 {
		t.Fatalf("replay: %v, %d calls", err, len(e.bodies))
	}
	_, err := Asker[verdict](again)(context.Background(), Request{Job: "notes", Prompt: "p", Optional: true})
	if !errors.Is(err, ErrNotRecorded) || again.Use().Error != "" {
		t.Errorf("words that decide nothing: %v, manifest %q", err, again.Use().Error)
	}
	_, err = Asker[verdict](again)(context.Background(), Request{Job: "other", Prompt: "p"})
	if !errors.Is(err, ErrNotRecorded) || again.Use().Error == "" {
		t.Errorf("got %v, manifest %q", err, again.Use().Error)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("store holds %v, %v", files, err)
	}
}

// TestAside: what stands beside a question is sent, scrubbed, and makes no other question.
func TestAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, e, _ := open(t, func(o *Options) {
		o.Store = output.At(dir)
		o.Scrub = func(s string) string { return strings.ReplaceAll(s, "hunter2", "[secret]") }
	}, says(good))
	asked := Asker[verdict](c)
	if _, err := asked(t.Context(), Request{Job: "j", Prompt: "p", Aside: "beside hunter2"}); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(e.bodies)
	if err != nil || !strings.Contains(string(raw), "pbeside [secret]") {
		t.Errorf("sent %s", raw)
	}
	if _, err := asked(t.Context(), Request{Job: "j", Prompt: "p"}); err != nil || c.Use().Cached != 1 || len(e.bodies) != 1 {
		t.Errorf("without it: %v, %d calls", err, len(e.bodies))
	}
}

func TestSecretsAreScrubbedAndEnvironmentIsNotSent(t *testing.T) {
	t.Setenv("OPENAI_ORG_ID", "org-of-somebody")
	c, e, _ := open(t, func(o *Options) {
		o.Scrub = func(s string) string { return strings.ReplaceAll(s, "hunter2", "[secret]") }
	}, says(good))
	if _, err := Asker[verdict](c)(context.Background(), Request{Job: "j", System: "hunter2", Prompt: "key=hunter2"}); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(e.bodies)
	if err != nil || strings.Contains(string(raw), "hunter2") || !strings.Contains(string(raw), "[secret]") {
		t.Errorf("sent %s", raw)
	}
	if org := e.header.Get("OpenAI-Organization"); org != "" {
		t.Errorf("sent organisation %q of the environment", org)
	}
}

func TestUseAndCost(t *testing.T) {
	t.Parallel()
	c, _, _ := open(t, func(o *Options) { o.Prices = map[string]Price{"m": {Prompt: 1, Completion: 10}} }, says(good))
	if _, err := ask(c); err != nil {
		t.Fatal(err)
	}
	use := c.Use()
	if use.Prompt != 100 || use.Completion != 10 || use.CostUSD == nil || *use.CostUSD != 0.0002 {
		t.Errorf("got %+v", use)
	}
}

func FuzzCheck(f *testing.F) {
	s, err := schemaFor[verdict]("v")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("```json\n[1,2")
	f.Fuzz(func(t *testing.T, text string) {
		raw, problems := s.check(text)
		var v verdict
		if len(problems) == 0 && json.Unmarshal(raw, &v) != nil {
			t.Errorf("accepted %q, which does not decode", text)
		}
	})
}
