package checks

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/role/executor"
)

// What base's check says of head where the change took it out or made it weaker: a check
// that came to no end on either side was seen to fail on none.
func TestWorse(t *testing.T) {
	t.Parallel()
	well, bad := executor.Run{Ending: executor.Ending{Well: true}}, executor.Run{}
	unbegun := executor.Run{Inconclusive: "there was no time left for it", Ending: executor.Ending{TimedOut: true}}
	absent := executor.Run{Inconclusive: "it could not be started"}
	for name, c := range map[string]struct {
		head, was executor.Run
		want      string
	}{
		"a new failure":                {bad, well, "fails"},
		"an old failure":               {bad, bad, ""},
		"no time on head":              {unbegun, well, "cannot be judged"},
		"no time on either side":       {unbegun, unbegun, "cannot be judged"},
		"no time on base":              {bad, unbegun, "cannot be judged"},
		"killed on base":               {bad, executor.Run{Ending: executor.Ending{Killed: true}}, "cannot be judged"},
		"not installed any more":       {absent, well, "cannot be judged"},
		"not installed on either":      {absent, absent, ""},
		"an old failure, without time": {unbegun, bad, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, worse(c.head, c.was), c.want)
		})
	}
}
