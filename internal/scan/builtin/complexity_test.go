package builtin

import (
	"math"
	"regexp"
	"testing"
)

// What can be a decision is counted as a regular expression counts it.
func FuzzDecisions(f *testing.F) {
	decision := regexp.MustCompile(`(?:\b|\d)(if|elif|for|while|do|case|catch|except|select|and|or)\b|&&|\|\||\?`)
	for _, text := range []string{
		"", "if", "if x else 2", "1if x else 2", "a1if", "_if", "if_", "if2", "1if2if", "iff", "élif", "a&&b", "&&&", "&&&&", "&|&|", "|||", "a?.b ?? c",
		"for(;;)do{}while(0)", "x.case\nand or\tselect", "9", "or9or", "?if", "if?", "\xff if",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		all := len(decision.FindAllIndex(source, -1))
		if got := decisions(source, math.MaxInt); got != all {
			t.Errorf("%q: %d, want %d", source, got, all)
		}
		if got := decisions(source, 2); got != min(2, all) {
			t.Errorf("%q: %d of two at most", source, got)
		}
	})
}
