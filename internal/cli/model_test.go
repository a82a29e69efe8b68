package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/org/qa-action/internal/llm"
)

// recorded is one reply of a model and what a request must say to get it. The
// replies were written once, by reading the prompts.
type recorded struct {
	Has   []string       `json:"has"`
	Lacks []string       `json:"lacks"`
	From  int            `json:"from"`  // only from this request on, counted from 1
	Times int            `json:"times"` // given so often; 0 is always
	Reply map[string]any `json:"reply"`
	// Longer is how many tokens a prompt must have more than.
	Longer int `json:"longer"`
	// Counted is how many tokens of it the endpoint says that it read, where it did not
	// read all.
	Counted int `json:"counted"`
	trouble
	given int
}

// trouble is what comes instead of a reply.
type trouble struct {
	Text    string            `json:"text"`    // in place of JSON
	Finish  string            `json:"finish"`  // why it ended, when not by itself
	Refusal string            `json:"refusal"` // what the model says instead
	Status  int               `json:"status"`
	Header  map[string]string `json:"header"`
	Body    string            `json:"body"` // with a status
	Hangs   bool              `json:"hangs"`
	Dies    bool              `json:"dies"` // and nobody listens from then on
}

// desk answers chat completions with recorded replies.
type desk struct {
	server  *httptest.Server
	mu      sync.Mutex
	replies []*recorded
	asked   int
}

// model starts an endpoint that answers from a file of recorded replies: model
// FILE. Every reply must be asked for, else the script fails at its end.
func model(t *testing.T, ts *testscript.TestScript, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: model file")
	}
	raw, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	d := &desk{}
	ts.Check(json.Unmarshal(raw, &d.replies))
	d.server = httptest.NewUnstartedServer(d)
	d.server.Config.SetKeepAlivesEnabled(false) // or who is connected would still be heard when it dies
	d.server.Start()
	t.Cleanup(d.server.Close)
	ts.Setenv("INPUT_MODEL", "recorded")
	ts.Setenv("INPUT_MODEL-BASE-URL", d.server.URL+"/v1")
	t.Cleanup(func() {
		for _, r := range d.replies {
			if r.given == 0 {
				t.Errorf("%s: nobody asked for the reply to %q", args[0], r.Has)
			}
		}
	})
}

func (d *desk) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	x, ok := listen(w, req)
	if !ok {
		return
	}
	r := d.choose(x.prompt())
	x.counted = r.Counted
	switch {
	case r.Dies:
		_ = d.server.Listener.Close()
		panic(http.ErrAbortHandler) // hangs up without a word
	case r.Hangs:
		<-req.Context().Done()
	case r.Status != 0:
		for name, value := range r.Header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(r.Status)
		fmt.Fprint(w, r.Body)
	case r.Refusal != "":
		x.say(w, map[string]any{"content": nil, "refusal": r.Refusal}, "stop")
	case r.Text != "":
		x.say(w, map[string]any{"content": r.Text}, cmp.Or(r.Finish, "stop"))
	default:
		x.reply(w, r.Reply)
	}
}

// choose takes the first reply that fits.
func (d *desk) choose(prompt string) recorded {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	for _, r := range d.replies {
		fits := d.asked >= r.From && (r.Times == 0 || r.given < r.Times) && (r.Longer == 0 || llm.Tokens(prompt) > r.Longer)
		for _, has := range r.Has {
			fits = fits && strings.Contains(prompt, has)
		}
		for _, lacks := range r.Lacks {
			fits = fits && !strings.Contains(prompt, lacks)
		}
		if fits {
			r.given++
			return *r
		}
	}
	return recorded{}
}
