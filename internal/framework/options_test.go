package framework

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

// A test may be there only with an option that the project's own script gives.
func TestReproducingKeepsTheScriptsOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ option, file string }{
		"pytest": {"--doctest-modules", "shop/cart.py"}, "gotest": {"-tags=integration", "cart_test.go"},
		"cargo": {"--features=slow", "src/lib.rs"}, "maven": {"-Pslow", "src/test/java/ATest.java"}, "gradle": {"-Pslow=1", "src/test/java/ATest.java"},
	} {
		how, err := For(name)
		if err != nil {
			t.Fatal(err)
		}
		d := adapter.Detection{Framework: name}
		d.Program, d.Args = []string{name}, []string{c.option}
		line := how.Reproduce(d, qa.Case{File: c.file, Suite: "example.ATest", Name: "TestOne"})
		if !strings.Contains(line, c.option) || !strings.Contains(line, "TestOne") {
			t.Errorf("%s: %s", name, line)
		}
	}
}
