package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
)

// plain makes of what endpoints and gateways answer what the library reads: one JSON
// object in a reply that says it is JSON. A refusal becomes a [fault].
func plain(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body) // bounded by the client
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusBadRequest {
		return nil, faultOf(res.StatusCode, res.Header, body)
	}
	body = bytes.TrimSpace(body)
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/event-stream" || bytes.HasPrefix(body, []byte("data:")) {
		body = joined(body)
	}
	if !bytes.HasPrefix(body, []byte("{")) {
		return nil, &fault{status: res.StatusCode, header: res.Header,
			message: fmt.Sprintf("no JSON in a reply of type %q; is model-base-url the address of an OpenAI-compatible endpoint?", res.Header.Get("Content-Type"))}
	}
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Choices []struct {
			Error json.RawMessage `json:"error"`
		} `json:"choices"`
	}
	if json.Unmarshal(body, &outer) == nil {
		if len(outer.Choices) > 0 && words(outer.Error) == "" {
			outer.Error = outer.Choices[0].Error
		}
		if f := faultWithin(res.Header, outer.Error); f != nil {
			return nil, f
		}
	}
	res.Header.Set("Content-Type", "application/json")
	res.ContentLength = int64(len(body))
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// said is the message of a reply. Its texts may be a string, or a list of parts, or
// the value itself where a gateway has parsed it.
type said struct {
	Content          json.RawMessage `json:"content"`
	Reasoning        json.RawMessage `json:"reasoning"`         // Ollama, vLLM, OpenRouter
	ReasoningContent json.RawMessage `json:"reasoning_content"` // DeepSeek, llama.cpp, LiteLLM
	Refusal          string          `json:"refusal"`
	ToolCalls        []struct {
		Index    int    `json:"index"`
		Function called `json:"function"`
	} `json:"tool_calls"`
	FunctionCall called `json:"function_call"`
}

type called struct {
	Arguments json.RawMessage `json:"arguments"`
}

// text is what was answered. Some gateways make the call of a function of every reply
// that has to be JSON, though none was offered; its arguments are the reply then.
func (s said) text() string {
	switch text := spoken(s.Content); {
	case strings.TrimSpace(text) != "":
		return text
	case len(s.ToolCalls) > 0:
		return spoken(s.ToolCalls[0].Function.Arguments)
	}
	return spoken(s.FunctionCall.Arguments)
}

// thoughts are what was thought before, where the endpoint tells.
func (s said) thoughts() string {
	if text := spoken(s.ReasoningContent); text != "" {
		return text
	}
	return spoken(s.Reasoning)
}

// spoken is a text in whichever way it is written; of a list the parts that are text,
// thoughts among them left out.
func spoken(raw json.RawMessage) string {
	var parts []struct {
		Text *string `json:"text"`
	}
	if !bytes.HasPrefix(raw, []byte("[")) || json.Unmarshal(raw, &parts) != nil {
		return words(raw)
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Text == nil {
			continue
		}
		b.WriteString(*p.Text)
	}
	if b.Len() == 0 {
		return words(raw)
	}
	return b.String()
}

// messageOf reads what the library does not know of a message.
func messageOf(c openai.ChatCompletionChoice) (s said) {
	// What is no object has no text, and is asked for again.
	_ = json.Unmarshal([]byte(c.Message.RawJSON()), &s)
	return s
}
