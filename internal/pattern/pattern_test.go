package pattern_test

import (
	"testing"

	_ "github.com/org/qa-action/internal/cli" // all patterns of the program
	"github.com/org/qa-action/internal/pattern"
)

func TestAllPatternsCompile(t *testing.T) {
	t.Parallel()
	if n := pattern.Compile(); n < 200 {
		t.Errorf("only %d patterns: are they not made by New?", n)
	}
}
