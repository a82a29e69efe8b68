package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/org/qa-action/internal/llm"
)

// exchange is what is used of a request to a model.
type exchange struct {
	Messages []struct{ Role, Content string }
	Format   struct {
		Schema struct {
			Name   string // of the job
			Schema struct{ Properties map[string]json.RawMessage }
		} `json:"json_schema"`
	} `json:"response_format"`
	body    string
	counted int // tokens of the prompt that were read, where it is not all of them
}

// listen reads a chat request; one that is none is answered with 400.
func listen(w http.ResponseWriter, req *http.Request) (x exchange, ok bool) {
	body, err := io.ReadAll(req.Body)
	if err == nil {
		err = json.Unmarshal(body, &x)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return x, false
	}
	x.body = string(body)
	return x, true
}

// prompt is everything said so far.
func (x exchange) prompt() string {
	var b strings.Builder
	for _, m := range x.Messages {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

// nothing is what a model says that has nothing to say, in every schema; an
// answer need only give what differs.
const nothing = `{"need":[],"tests":[],"alike":[],"findings":[],"verdicts":[],"risks":[],"recommendations":[],"reason":"","wrong":"",
	"test":{"name":"","function":"","lane":"","finding":"","severity":"","imports":[],"announced":"","relied":"","in":"","code":"","why":""}}`

// answer fills the schema that was sent with values and, where there are none,
// with nothing.
func (x exchange) answer(values map[string]any) (string, error) {
	all := map[string]any{}
	if err := json.Unmarshal([]byte(nothing), &all); err != nil {
		return "", fmt.Errorf("read the empty answer: %w", err)
	}
	maps.Copy(all, values)
	maps.DeleteFunc(all, func(key string, _ any) bool { _, wanted := x.Format.Schema.Schema.Properties[key]; return !wanted })
	text, err := json.Marshal(all)
	return string(text), err
}

// say sends a text as the endpoint does.
func (x exchange) say(w http.ResponseWriter, message map[string]any, finish string) {
	text, _ := message["content"].(string)
	message["role"] = "assistant"
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"finish_reason": finish, "message": message}},
		// What is estimated is from above. Never the size of a window, to which a server
		// might have cut a prompt.
		"usage": map[string]any{"prompt_tokens": cmp.Or(x.counted, llm.Tokens(x.prompt())/5*4+1), "completion_tokens": len(text) / 16 * 4},
	})
}

// reply answers with values.
func (x exchange) reply(w http.ResponseWriter, values map[string]any) {
	text, err := x.answer(values)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	x.say(w, map[string]any{"content": text}, "stop")
}
