package javascript

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

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

// Before version 18 nyc measures coverage, and --coverage-report without files makes a
// report of the last run instead of a run.
func TestTapBehindNyc(t *testing.T) {
	t.Parallel()
	for version, options := range map[string][2]string{
		"16.3.10": {"--nyc-arg=--reporter=json", "--no-coverage"},
		"^17":     {"--nyc-arg=--reporter=json", "--no-coverage"},
		"21.8.0":  {"--coverage-report=json", "--disable-coverage"},
		"":        {"--coverage-report=json", "--disable-coverage"},
	} {
		d := adapter.Detection{Version: version, Tools: adapter.Tools{Program: []string{"node", "tap"}}}
		for i, covered := range []bool{true, false} {
			inv, err := Tap.Invocation(d, adapter.Request{OutDir: "/out", Coverage: covered})
			assert.NilError(t, err)
			assert.Check(t, slices.Contains(inv.Argv, options[i]), "%s: %s", version, inv.Argv)
			assert.Check(t, !slices.Contains(inv.Argv, "--diag"), "tests see that tap reads their source: %s", inv.Argv)
		}
	}
}
