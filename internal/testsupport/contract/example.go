package contract

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// fill completes a value to the least that a schema accepts: a reply of GitHub
// has a hundred fields that no test cares for.
func fill(s *openapi3.Schema, overlay any) any {
	s = flat(s)
	switch {
	case s.Type.Is("object") || s.Type == nil && len(s.Properties) > 0:
		given, ok := overlay.(map[string]any)
		if overlay != nil && !ok {
			return overlay
		}
		out := map[string]any{}
		for name, value := range given {
			out[name] = value
			if p := s.Properties[name]; p != nil && value != nil {
				out[name] = fill(p.Value, value)
			}
		}
		for _, name := range s.Required {
			if _, set := out[name]; !set && s.Properties[name] != nil {
				out[name] = fill(s.Properties[name].Value, nil)
			}
		}
		return out
	case s.Type.Is("array"):
		given, _ := overlay.([]map[string]any)
		out := []any{}
		for _, e := range given {
			out = append(out, fill(s.Items.Value, e))
		}
		return out
	case overlay != nil:
		return overlay
	case s.Nullable:
		return nil
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type.Is("integer"), s.Type.Is("number"):
		if s.Min != nil {
			return *s.Min
		}
		return 1
	case s.Type.Is("boolean"):
		return false
	}
	switch s.Format {
	case "date-time":
		return "2026-01-02T03:04:05Z"
	case "uri":
		return "https://api.github.com/x"
	}
	return "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"[:max(1, int(s.MinLength))]
}

// flat picks the first of alternatives and joins parts.
func flat(s *openapi3.Schema) *openapi3.Schema {
	for _, list := range []openapi3.SchemaRefs{s.OneOf, s.AnyOf} {
		if len(list) > 0 {
			i := max(0, slices.IndexFunc(list, func(r *openapi3.SchemaRef) bool { return len(r.Value.Properties) > 0 }))
			return flat(list[i].Value)
		}
	}
	if len(s.AllOf) == 0 {
		return s
	}
	out := *s
	out.AllOf, out.Properties = nil, openapi3.Schemas{}
	for _, part := range s.AllOf {
		p := flat(part.Value)
		if out.Type == nil {
			out.Type = p.Type
		}
		for name, property := range p.Properties {
			out.Properties[name] = property
		}
		out.Required = append(out.Required, p.Required...)
	}
	return &out
}
