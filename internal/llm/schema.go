package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	generate "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	locale "golang.org/x/text/message"

	"github.com/org/qa-action/internal/pattern"
)

// schema is the shape of a reply, in the strict subset that endpoints accept:
// every key required, no further keys, no oneOf, no default.
type schema struct {
	name   string
	text   string
	value  any
	verify *jsonschema.Schema
}

// schemaFor derives the schema of T. Enumerations are given by the type's
// jsonschema tags in its descriptions; slices are never null.
func schemaFor[T any](name string) (schema, error) {
	s, err := generate.For[T](nil)
	if err != nil {
		return schema{}, fmt.Errorf("derive schema: %w", err)
	}
	strict(s)
	raw, err := json.Marshal(s)
	if err != nil {
		return schema{}, fmt.Errorf("derive schema: %w", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return schema{}, fmt.Errorf("derive schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("reply.json", value); err != nil {
		return schema{}, fmt.Errorf("derive schema: %w", err)
	}
	verify, err := compiler.Compile("reply.json")
	if err != nil {
		return schema{}, fmt.Errorf("derive schema: %w", err)
	}
	return schema{name: name, text: string(raw), value: json.RawMessage(raw), verify: verify}, nil
}

// strict makes every property required and slices non-null.
func strict(s *generate.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && (s.Types[0] == "null" || s.Types[1] == "null") && s.Items != nil {
		s.Type, s.Types = "array", nil
	}
	s.Required = append([]string(nil), s.PropertyOrder...)
	if len(s.Required) != len(s.Properties) {
		s.Required = nil
		for key := range s.Properties {
			s.Required = append(s.Required, key)
		}
	}
	for _, p := range s.Properties {
		strict(p)
	}
	strict(s.Items)
}

// check takes the JSON value out of a reply (models like to put it in a code fence, or
// to think aloud before it) and lists everything wrong with it.
func (s schema) check(text string) (json.RawMessage, []string) {
	var wrong []string
	for raw := range values(answered(text)) {
		errs := s.validate(raw)
		if len(errs) == 0 {
			return raw, nil
		}
		if wrong == nil {
			wrong = errs
		}
	}
	if wrong == nil {
		wrong = []string{"no JSON value found; the reply may have been cut off"}
	}
	return nil, wrong
}

func (s schema) validate(raw json.RawMessage) []string {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return []string{"not valid JSON: " + err.Error()}
	}
	err = s.verify.Validate(value)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		return leaves(invalid)
	}
	if err != nil {
		return []string{err.Error()}
	}
	return nil
}

var english = locale.NewPrinter(language.English)

// leaves lists the innermost errors, each with the place in the reply.
func leaves(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		return []string{"at /" + strings.Join(e.InstanceLocation, "/") + ": " + e.ErrorKind.LocalizedString(english)}
	}
	var out []string
	for _, c := range e.Causes {
		out = append(out, leaves(c)...)
	}
	return out
}

// thought are the marks of what a reasoning model thought before it answered.
var thought = pattern.New(`(?s)^\s*<(think|thinking|thought|reasoning)>(.*</(think|thinking|thought|reasoning)>)?`)

// answered is a reply without the thoughts before it, in which there may be drafts of
// it; nothing where the model did not come to an end with them.
func answered(text string) string {
	at := thought.FindStringSubmatchIndex(text)
	switch {
	case at == nil:
		return text
	case at[4] < 0:
		return ""
	}
	return text[at[1]:]
}

// maxValues bounds the places at which a value is looked for: each may have the whole
// reply read.
const maxValues = 50

// values are the JSON objects and arrays of a text, one after the other. One that was
// cut off is the last.
func values(text string) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for range maxValues {
			at := strings.IndexAny(text, "{[")
			if at < 0 {
				return
			}
			text = text[at:]
			var raw json.RawMessage
			dec := json.NewDecoder(strings.NewReader(text))
			switch err := dec.Decode(&raw); {
			case errors.Is(err, io.ErrUnexpectedEOF):
				return
			case err != nil:
				text = text[1:]
			case !yield(raw):
				return
			default:
				text = text[dec.InputOffset():]
			}
		}
	}
}

// concluded is the JSON value with which thoughts end: some servers put a whole reply
// among the thoughts when a model does not say where these are over. A value before
// the end is a draft.
func concluded(thoughts string) string {
	text := strings.TrimRight(thoughts, " \t\r\n`")
	for at, tries := 0, 0; tries < maxValues; tries++ {
		open := strings.IndexAny(text[at:], "{[")
		if open < 0 {
			return ""
		}
		at += open
		if json.Valid([]byte(text[at:])) {
			return text[at:]
		}
		line := strings.IndexByte(text[at:], '\n')
		if line < 0 {
			return ""
		}
		at += line
	}
	return ""
}
