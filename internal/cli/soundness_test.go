package cli

import (
	"testing"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestSoundness holds the verdict to what the run saw, on repositories nobody
// prepared: each script was red once, and its first lines say how.
func TestSoundness(t *testing.T) {
	t.Parallel()
	fixture.WithoutRaceDetector(t)
	scripts(t, "soundness/*.txtar")
}
