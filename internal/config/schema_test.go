package config

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
	_ "gotest.tools/v3/golden" // the flag -update

	"github.com/org/qa-action/internal/testsupport/fixture"
)

type object = map[string]any

// plain are the values that an input takes: text, or what is read as text.
func plain() object {
	scalar := []string{"string", "number", "boolean"}
	return object{"anyOf": []any{
		object{"type": scalar},
		object{"type": "array", "items": object{"type": scalar}},
		object{"type": "object", "additionalProperties": object{"type": scalar}},
	}}
}

// inputSchema is one input as an editor completes it.
func inputSchema(f reflect.StructField) object {
	s := plain()
	switch all := f.Tag.Get("oneof"); {
	case all != "":
		s = object{"enum": strings.Split(all, ",")}
	case f.Type == reflect.TypeFor[Bool]():
		s = object{"enum": []any{true, false, "true", "false"}}
	}
	s["description"] = f.Tag.Get("help")
	if fallback := f.Tag.Get("fallback"); fallback != "" {
		s["description"] = s["description"].(string) + " Default: " + fallback
	}
	return s
}

// typeSchema is a value that only the file has, by the type it is decoded into.
func typeSchema(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Slice:
		return object{"type": "array", "items": typeSchema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": typeSchema(t.Elem())}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Struct:
		properties := object{}
		for _, f := range reflect.VisibleFields(t) {
			if key := f.Tag.Get("yaml"); key != "" && key != "-" {
				properties[key] = typeSchema(f.Type)
			}
		}
		return object{"type": "object", "properties": properties, "additionalProperties": false}
	}
	return object{"type": []string{"string", "number", "boolean"}}
}

// fileSchema is .github/qa.yml, made from the structs that it is read into.
func fileSchema() object {
	properties := object{}
	for f := range fields() {
		if name := Name(f); !slices.Contains(secretInputs, name) {
			properties[name] = inputSchema(f)
		}
	}
	t := reflect.TypeFor[file]()
	for _, key := range extraKeys {
		f, _ := t.FieldByName(key)
		properties[key] = typeSchema(f.Type)
	}
	return object{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "qa-action configuration",
		"description": "The file .github/qa.yml. Every input of the action is a key, and some keys are of the file alone.",
		"type":        "object", "properties": properties, "additionalProperties": false}
}

// TestSchemaOfTheFile: editors know every key of the config file, and no other.
func TestSchemaOfTheFile(t *testing.T) {
	t.Parallel()
	want := &bytes.Buffer{}
	enc := json.NewEncoder(want)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(fileSchema()); err != nil {
		t.Fatal(err)
	}
	fixture.Published(t, "qa", want.Bytes())
	schema := fixture.Compiled(t, "qa")
	for text, fits := range map[string]bool{
		"":                                       true,
		"mode: full\ncomment: false\ntimeout: 5": true,
		"coverage-targets: {L1: 90, L2: 50}":     true,
		"fail-on: [flaky, patch-coverage]":       true,
		"targets:\n- {name: web, dir: web, coverage-targets: L1=50}": true,
		"prices:\n  large: {prompt: 1.5, completion: 2}":             true,
		"quarantine:\n- {test: a, reason: b, expires: 2030-01-01}":   true,
		"mode: ful":                          false,
		"colour: red":                        false,
		"github-token: x":                    false,
		"targets:\n- {name: web, colour: x}": false,
		"comment: perhaps":                   false,
		"engines: one":                       false,
	} {
		var doc any
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		if doc == nil {
			doc = object{}
		}
		raw, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != fits {
			t.Errorf("%q fits: %t, expected %t: %v", text, err == nil, fits, err)
		}
		_, problems := parseFile([]byte(text), "qa.yml")
		if fits && len(problems) > 0 {
			t.Errorf("%q fits the schema, and the program refuses it: %v", text, problems)
		}
	}
}
