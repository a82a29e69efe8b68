package config

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// InstructionsFor are the maintainers' words for a path.
func (c *Config) InstructionsFor(path string) string {
	var out []string
	for _, i := range c.Instructions {
		if ok, err := doublestar.Match(i.Paths, path); err == nil && ok {
			out = append(out, i.Text)
		}
	}
	return strings.Join(out, "\n")
}
