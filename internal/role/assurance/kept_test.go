package assurance

import (
	"testing"

	"github.com/org/qa-action/internal/role/generator"
	"gotest.tools/v3/assert"
)

// What a test captures that the description announces was never suspected of anything.
func TestWordsOfAKeptTest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		class               string
		finding, difference string
		want                string
	}{
		"what the change announces": {capturing, "", "", "captures the change: fails on base"},
		"a finding that is none":    {capturing, "SCOUT-ISSUE-1", "", "captures the change: fails on base; the suspicion it was written for did not hold"},
		"a difference that is none": {guard, "", "zero-is-lost", "covers changed lines nobody covered; base agrees with its expectations; the suspicion it was written for did not hold"},
		"new code":                  {newAPI, "", "", "covers changed lines nobody covered; characterisation: its expectations were seen on head only"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := &Verdict{Candidate: generator.Candidate{Test: generator.Test{Finding: c.finding}, Difference: c.difference}}
			v.Class, v.Lane = c.class, generator.Catching

			assert.Equal(t, reason(v), c.want)
		})
	}
}
