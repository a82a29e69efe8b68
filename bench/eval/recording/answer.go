package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// Answer is the reply as people read it.
func (e Exchange) Answer() ([]byte, error) { return toYAML(e.Reply) }

// toYAML writes an answer so that the code in it can be read, its keys in the
// order of the model.
func toYAML(raw json.RawMessage) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	node, err := decode(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(node), enc.Close()); err != nil {
		return nil, err
	}
	back, err := toJSON(out.Bytes())
	if err != nil {
		return nil, err
	}
	if same, err := equal(raw, back); err != nil || !same {
		return nil, errors.Join(err, fmt.Errorf("the answer does not survive its file: %s", raw))
	}
	return out.Bytes(), nil
}

func equal(a, b json.RawMessage) (bool, error) {
	var x, y any
	err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y))
	return reflect.DeepEqual(x, y), err
}

// decode reads the next value.
func decode(dec *json.Decoder) (*yaml.Node, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		node := &yaml.Node{Kind: yaml.SequenceNode}
		if token == '{' {
			node.Kind = yaml.MappingNode
		}
		for dec.More() { // the key of an object is a value like any other
			child, err := decode(dec)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, child)
		}
		if len(node.Content) == 0 {
			node.Style = yaml.FlowStyle
		}
		_, err := dec.Token()
		return node, err
	case string:
		node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: token}
		switch {
		case strings.HasPrefix(token, "\t"): // the library cannot read its own block of it
			node.Style = yaml.DoubleQuotedStyle
		case strings.Contains(token, "\n"):
			node.Style = yaml.LiteralStyle
		}
		return node, nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(token)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}

// toJSON makes the answer that the product replays.
func toJSON(data []byte) (json.RawMessage, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	if len(document.Content) != 1 {
		return nil, errors.New("no answer")
	}
	var out bytes.Buffer
	err := encode(&out, document.Content[0])
	return out.Bytes(), err
}

func encode(out *bytes.Buffer, node *yaml.Node) error {
	switch node.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		open, end, object := byte('['), byte(']'), node.Kind == yaml.MappingNode
		if object {
			open, end = '{', '}'
		}
		out.WriteByte(open)
		for i, child := range node.Content {
			switch {
			case object && i%2 == 1:
				out.WriteByte(':')
			case i > 0:
				out.WriteByte(',')
			}
			if err := encode(out, child); err != nil {
				return err
			}
		}
		out.WriteByte(end)
		return nil
	case yaml.ScalarNode:
		if node.Tag != "!!str" {
			out.WriteString(node.Value)
			return nil
		}
		text := json.NewEncoder(out)
		text.SetEscapeHTML(false)
		if err := text.Encode(node.Value); err != nil {
			return err
		}
		out.Truncate(out.Len() - 1) // the encoder ends the line
		return nil
	}
	return fmt.Errorf("line %d: expected a mapping, a list or a value", node.Line)
}
