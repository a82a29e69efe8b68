package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
)

// event is one piece of a stream.
type event struct {
	Model   string          `json:"model"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Finish string `json:"finish_reason"`
		Delta  said   `json:"delta"`
	} `json:"choices"`
}

// stream is a reply that came in pieces.
type stream struct {
	last                      event // model, usage and error as they were told last
	text, thoughts, arguments strings.Builder
	finish                    string
}

// joined makes one reply of a stream, which some gateways send though none was asked
// for. An error in it is that of the whole.
func joined(events []byte) []byte {
	var s stream
	lines := bufio.NewScanner(bytes.NewReader(events))
	lines.Buffer(nil, len(events)+1)
	for lines.Scan() {
		var e event
		if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:")); ok && json.Unmarshal(data, &e) == nil {
			s.add(e)
		}
	}
	return s.reply()
}

func (s *stream) add(e event) {
	if e.Model != "" {
		s.last.Model = e.Model
	}
	if words(e.Usage) != "" {
		s.last.Usage = e.Usage
	}
	if words(e.Error) != "" {
		s.last.Error = e.Error
	}
	if len(e.Choices) == 0 {
		return
	}
	s.last.Choices = e.Choices
	delta := e.Choices[0].Delta
	s.text.WriteString(spoken(delta.Content))
	s.thoughts.WriteString(delta.thoughts())
	if len(delta.ToolCalls) > 0 && delta.ToolCalls[0].Index == 0 {
		s.arguments.WriteString(spoken(delta.ToolCalls[0].Function.Arguments))
	}
	if finish := e.Choices[0].Finish; finish != "" {
		s.finish = finish
	}
}

// reply is the whole as one that was not streamed would have been.
func (s *stream) reply() []byte {
	out := map[string]any{"model": s.last.Model, "choices": []any{}}
	if s.last.Usage != nil {
		out["usage"] = s.last.Usage
	}
	if s.last.Error != nil {
		out["error"] = s.last.Error
	}
	if len(s.last.Choices) > 0 {
		message := map[string]any{"role": "assistant", "content": s.text.String(), "reasoning_content": s.thoughts.String()}
		if s.arguments.Len() > 0 {
			message["function_call"] = map[string]any{"arguments": s.arguments.String()}
		}
		out["choices"] = []any{map[string]any{"finish_reason": s.finish, "message": message}}
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil // a number that is none; there is no reply then
	}
	return raw
}
