package python

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/pattern"
)

// Settings are the settings of pytest and of what measures in a pyproject.toml, however
// they are written.
func Settings(data []byte) []byte {
	var file struct {
		Tool map[string]any `toml:"tool"`
	}
	_ = toml.Unmarshal(data, &file) // pytest says what is wrong with it
	own := map[string]any{}
	for _, key := range []string{"pytest", "coverage"} {
		if v := file.Tool[key]; v != nil {
			own[key] = v
		}
	}
	if len(own) == 0 {
		return nil
	}
	return fmt.Appendf(nil, "%#v", own)
}

var (
	pyFixture = pattern.New(`^@(?:pytest\.)?fixture\b`)
	pyAside   = pattern.New(`^(?:#.*|from\s.*|import\s.*|"""[^"]*"""|)$`)
)

// Acting is a conftest.py, or another file that a run saw to work on all tests, without
// comments, imports and the fixtures that tests ask for by name: those are their own
// set-up. What remains works on tests that know nothing of it.
func Acting(data []byte) []byte {
	var out, block []byte
	asked := false
	flush := func() {
		if !asked || bytes.Contains(block, []byte("autouse")) {
			out = append(out, block...)
		}
		block, asked = nil, false
	}
	decorated := false
	for line := range bytes.Lines(data) {
		text := bytes.TrimRight(line, " \t\r\n")
		top := len(text) > 0 && text[0] != ' ' && text[0] != '\t' && text[0] != ')' && text[0] != ']' && text[0] != '}'
		if top && !decorated {
			flush()
		}
		switch {
		case len(block) == 0 && pyAside.Match(text):
			continue
		case top && pyFixture.Match(text):
			asked = true
		}
		if top {
			decorated = text[0] == '@'
		}
		if len(text) > 0 {
			block = append(append(block, text...), '\n')
		}
	}
	flush()
	return out
}
