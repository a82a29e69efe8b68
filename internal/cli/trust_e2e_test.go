package cli

import (
	"os"
	"testing"
)

// TestTrustEndToEnd plays the authors of TestTrust where packages are installed.
func TestTrustEndToEnd(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 and run make fixtures")
	}
	t.Parallel()
	scripts(t, "trust/e2e/*.txtar")
}
