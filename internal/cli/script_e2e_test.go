package cli

import (
	"os"
	"testing"
)

// TestEndToEnd runs the scripts that need more than git.
func TestEndToEnd(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 and run make fixtures")
	}
	scripts(t, "e2e/*.txtar")
}
