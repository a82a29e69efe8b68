package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// recorded is one reply of a model and what a request must say to get it. The
// replies were written once, by reading the prompts.
type recorded struct {
	Has   []string        `json:"has"`
	Lacks []string        `json:"lacks"`
	Reply json.RawMessage `json:"reply"`
	used  bool
}

// nothing is what a model says that has nothing to say, in every schema; a
// recorded reply need only give what differs.
const nothing = `{"need":[],"tests":[],"findings":[],"verdicts":[],"risks":[],"recommendations":[],"reason":"","wrong":"",
	"test":{"name":"","lane":"","finding":"","imports":[],"in":"","code":"","why":""}}`

// model answers chat completions from a file of recorded replies: model FILE.
// Every reply must be asked for, else the script fails at its end.
func model(t *testing.T, ts *testscript.TestScript, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: model file")
	}
	raw, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	var replies []*recorded
	ts.Check(json.Unmarshal(raw, &replies))
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		var asked struct {
			Messages []struct{ Content string }
			Format   struct {
				Schema struct {
					Schema struct{ Properties map[string]any }
				} `json:"json_schema"`
			} `json:"response_format"`
		}
		if err == nil {
			err = json.Unmarshal(body, &asked)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var prompt strings.Builder
		for _, m := range asked.Messages {
			prompt.WriteString(m.Content)
		}
		mu.Lock()
		answer := choose(replies, prompt.String())
		mu.Unlock()
		var all map[string]any
		for _, layer := range []string{nothing, string(answer)} {
			if err := json.Unmarshal([]byte(layer), &all); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		for key := range all { // only what was asked for
			if _, wanted := asked.Format.Schema.Schema.Properties[key]; !wanted {
				delete(all, key)
			}
		}
		text, err := json.Marshal(all)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": string(text)}}},
			"usage":   map[string]any{"prompt_tokens": prompt.Len() / 4, "completion_tokens": len(text) / 4},
		})
	}))
	t.Cleanup(server.Close)
	ts.Setenv("INPUT_MODEL", "recorded")
	ts.Setenv("INPUT_MODEL-BASE-URL", server.URL+"/v1")
	t.Cleanup(func() {
		for _, r := range replies {
			if !r.used {
				t.Errorf("%s: nobody asked for the reply to %q", args[0], r.Has)
			}
		}
	})
}

func choose(replies []*recorded, prompt string) json.RawMessage {
	for _, r := range replies {
		fits := true
		for _, has := range r.Has {
			fits = fits && strings.Contains(prompt, has)
		}
		for _, lacks := range r.Lacks {
			fits = fits && !strings.Contains(prompt, lacks)
		}
		if fits {
			r.used = true
			return r.Reply
		}
	}
	return json.RawMessage(nothing)
}
