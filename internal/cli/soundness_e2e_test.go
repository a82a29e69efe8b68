package cli

import (
	"os"
	"testing"
)

// TestSoundnessEndToEnd holds the verdict to what the run saw where that takes
// Python or the sample projects.
func TestSoundnessEndToEnd(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 and run make fixtures")
	}
	t.Parallel()
	scripts(t, "soundness/e2e/*.txtar")
}
