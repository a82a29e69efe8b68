package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	generate "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	locale "golang.org/x/text/message"
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

// check takes the JSON value out of a reply (models like to put it in a code
// fence) and lists everything wrong with it.
func (s schema) check(text string) (json.RawMessage, []string) {
	raw := extract(text)
	if raw == nil {
		return nil, []string{"no JSON value found; the reply may have been cut off"}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, []string{"not valid JSON: " + err.Error()}
	}
	err = s.verify.Validate(value)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		return nil, leaves(invalid)
	}
	if err != nil {
		return nil, []string{err.Error()}
	}
	return raw, nil
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

// extract finds the first whole JSON object or array in a text.
func extract(text string) json.RawMessage {
	for i, r := range text {
		if r != '{' && r != '[' {
			continue
		}
		var raw json.RawMessage
		if json.NewDecoder(strings.NewReader(text[i:])).Decode(&raw) == nil {
			return raw
		}
		return nil
	}
	return nil
}
