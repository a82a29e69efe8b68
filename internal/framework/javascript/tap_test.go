package javascript

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
)

// A pattern for each level: what a shallower test of a selection has inside is not
// left out by the titles of a deeper one.
func TestTapGrep(t *testing.T) {
	t.Parallel()
	for want, tests := range map[string][]adapter.Selected{
		"--grep=/^(a)$/":                  {{Name: "a"}},
		"--grep=/^(a)$/ --grep=/^(b)$/":   {{Suite: "a", Name: "b"}},
		"--grep=/^(a|c)$/":                {{Suite: "a", Name: "b"}, {Name: "c"}},
		`--grep=/^(\(1\)\/2|\^x)$/`:       {{Name: "(1)/2"}, {Name: "^x"}},
		"--grep=/^(a)$/ --grep=/^(b|c)$/": {{Suite: "a", Name: "b"}, {Suite: "a", Name: "c"}},
	} {
		if got := strings.Join(tapGrep(tests), " "); got != want {
			t.Errorf("%v: %s, want %s", tests, got, want)
		}
	}
}
