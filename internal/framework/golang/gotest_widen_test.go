package golang

import (
	"go/build/constraint"
	"testing"
)

func TestNegated(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"//go:build race": false, "//go:build !race": true, "//go:build linux && !(race || x)": true, "//go:build !(!race)": false,
		"//go:build !racing": false, "//go:build a || !b": true, "// +build !race": true, "// +build linux,!b": true, "//go:build !linux": false,
	} {
		expr, err := constraint.Parse(line)
		if err != nil {
			t.Fatal(line, err)
		}
		if got := negated(expr, false, []string{"race", "b"}); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
