package golang

import (
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
)

func TestRunPattern(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tests      []adapter.Selected
		run, bench string
	}{
		{[]adapter.Selected{{Name: "TestA/before_(a/b)"}, {Name: "TestB"}, {Name: "TestB"}}, `^TestA$/^before_\(a$/^b\)$|^TestB$`, ""},
		{[]adapter.Selected{{Name: "BenchmarkA/ten"}}, "^$", "^BenchmarkA$/^ten$"},
		{[]adapter.Selected{{Name: "BenchmarkA"}, {Name: "ExampleA"}}, "^ExampleA$", "^BenchmarkA$"},
		{[]adapter.Selected{{Name: "TestA"}, {Suite: "example.com/x"}}, "", ""}, // a whole package
	} {
		if run, bench := runPattern(c.tests); run != c.run || bench != c.bench {
			t.Errorf("%v: -run %s -bench %s, want %s and %s", c.tests, run, bench, c.run, c.bench)
		}
	}
}
