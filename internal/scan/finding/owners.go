package finding

import (
	"bytes"
	"fmt"

	"github.com/hmarr/codeowners"

	"github.com/org/qa-action/internal/each"
)

// owners answers who owns a path, by the rules of a CODEOWNERS file.
type owners struct{ rules codeowners.Ruleset }

func parseOwners(content []byte) (owners, error) {
	if len(content) == 0 {
		return owners{}, nil
	}
	rules, err := codeowners.ParseFile(bytes.NewReader(content))
	if err != nil {
		return owners{}, fmt.Errorf("parse CODEOWNERS: %w", err)
	}
	return owners{rules}, nil
}

func (o owners) of(path string) []string {
	rule, err := o.rules.Match(path)
	if err != nil || rule == nil {
		return nil
	}
	return each.Of(rule.Owners, func(owner codeowners.Owner) string { return owner.String() })
}
