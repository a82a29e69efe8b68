package javascript

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/framework/adapter"
)

func TestTitlesMatchTheirTestOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.StringMatching(`[ -~]{1,12}`)
		tests := []adapter.Selected{{Suite: title.Draw(t, "suite"), Name: title.Draw(t, "name")}, {Suite: "a > b", Name: "c (2)"}}
		pattern, err := regexp.Compile(titles(tests))
		if err != nil {
			t.Fatal(err)
		}
		for _, full := range []string{tests[0].Suite + " " + tests[0].Name, " " + tests[0].Suite + " " + tests[0].Name, "a b c", "a > b > c (2)", "a b c (2)"} {
			if strings.Contains(tests[0].Suite, ">") {
				continue
			}
			if !pattern.MatchString(full) {
				t.Fatalf("%s does not match %q", pattern, full)
			}
		}
		if other := "another " + tests[0].Name; pattern.MatchString(other + " more") {
			t.Fatalf("%s matches %q", pattern, other)
		}
	})
}
