package cli

import (
	"regexp"
	"testing"

	"github.com/org/qa-action/internal/pattern"
)

func TestAllPatternsCompile(t *testing.T) {
	t.Parallel()
	all := pattern.All()
	if len(all) < 200 {
		t.Errorf("only %d patterns: are they not made by New?", len(all))
	}
	for _, p := range all {
		if _, err := regexp.Compile(p.String()); err != nil {
			t.Error(err)
		}
	}
}
