package change

import (
	"errors"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestRefusalsSayWhatToDo: the next step stands in the message, once.
func TestRefusalsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		notRepo("d"), noCommits("d"), unknownBase("b", []string{"main"}), unrelated("a", "b"), otherCheckout("a", "b"), unmerged([]string{"a"}), incomplete("d", strings.Repeat("1", 40)),
		&shallowError{missing: "a", fetch: "git fetch", cause: errors.New("offline")},
	} {
		var explained interface{ NextStep() string }
		assert.Assert(t, errors.As(err, &explained))
		assert.Assert(t, explained.NextStep() != "" && strings.Count(err.Error(), explained.NextStep()) == 1, "%s", err)
	}
}
