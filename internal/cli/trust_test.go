package cli

import (
	"testing"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestTrust plays authors who want it green: nothing that a change wrote or its
// tests reached decides about base, about a later run or about another
// repository. Each script was green for the author once.
func TestTrust(t *testing.T) {
	t.Parallel()
	fixture.WithoutRaceDetector(t)
	scripts(t, "trust/*.txtar")
}
