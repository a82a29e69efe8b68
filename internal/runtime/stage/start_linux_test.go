package stage

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/process"
)

// A helper that was ended because it took too long is not said to have ended early:
// the one is the machine's to mend, the other a layer's.
func TestProbed(t *testing.T) {
	t.Parallel()
	for want, res := range map[string]process.Result{
		"did not start within 2m0s":  {ExitCode: -1, TimedOut: true},
		"helper ended early: exit 1": {ExitCode: 1},
	} {
		if err := Probed(res, Status{}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", res, err, want)
		}
	}
	if err := Probed(process.Result{}, Status{Ready: true, Done: true}, nil); err != nil {
		t.Error(err)
	}
}
