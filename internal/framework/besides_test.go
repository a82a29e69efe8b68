package framework

import "testing"

// TestSelects: with such an option a test target runs some of a suite's tests, and takes the
// place of no suite.
func TestSelects(t *testing.T) {
	t.Parallel()
	for option, want := range map[string]bool{
		"--onlyChanged": true, "--exclude=e2e/**": true, "--testPathIgnorePatterns": true, "--shard=1/2": true, "-k": true,
		"--excluded": false, "-race": false, "--project-root": false, "--strict-markers": false,
	} {
		if got := selects.MatchString(option); got != want {
			t.Errorf("%s: %t", option, got)
		}
	}
}
