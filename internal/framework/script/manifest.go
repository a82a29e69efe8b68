package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// Manifest is the part of package.json that matters here.
type Manifest struct {
	Name                 string                     `json:"name"`
	Type                 string                     `json:"type"`
	Scripts              map[string]string          `json:"scripts"`
	Dependencies         map[string]string          `json:"dependencies"`
	DevDependencies      map[string]string          `json:"devDependencies"`
	OptionalDependencies map[string]string          `json:"optionalDependencies"`
	Workspaces           json.RawMessage            `json:"workspaces"`
	Jest                 json.RawMessage            `json:"jest"`
	Mocha                json.RawMessage            `json:"mocha"`
	C8                   json.RawMessage            `json:"c8"`
	Nyc                  json.RawMessage            `json:"nyc"`
	Wireit               map[string]json.RawMessage `json:"wireit"`

	order []string // the names of the scripts as they stand
}

// ParseManifest reads a package.json. A value of another kind than npm knows is
// left out; what is no JSON object at all is an error.
func ParseManifest(data []byte) (*Manifest, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var m Manifest
	err := json.Unmarshal(data, &m)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	m.order = scriptNames(data)
	return &m, nil
}

// scriptNames are the names of the scripts in the order of the file.
func scriptNames(data []byte) []string {
	var top struct {
		Scripts json.RawMessage `json:"scripts"`
	}
	_ = json.Unmarshal(data, &top) // checked by the caller
	d := json.NewDecoder(bytes.NewReader(top.Scripts))
	var out []string
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			break
		}
		if text, ok := name.(string); ok && !slices.Contains(out, text) && len(out) < maxSteps {
			out = append(out, text)
		}
	}
	return out
}

// TestScripts are the scripts that may run the tests: "test" first, then the
// usual names of unit tests, then whatever else begins with "test".
func (m *Manifest) TestScripts() []string {
	order := []string{"test", "test:unit", "unit", "unit-test", "test-unit", "test:ci", "test-ci", "ci:test"}
	var rest, out []string
	for name := range m.Scripts {
		if strings.HasPrefix(name, "test") && !slices.Contains(order, name) && !asideScript.MatchString(name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range append(order, rest...) {
		if strings.TrimSpace(m.Scripts[name]) != "" {
			out = append(out, name)
		}
	}
	return out
}

// asideScript are test scripts that are not the suite: watchers, other layers.
var asideScript = pattern.New(`(?i)[:_-](watch|dev|ui|debug|e2e|browser|types?|lint|bench|update|snapshots?|open)`)
