package javascript

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
)

// Before version 6 mocha took the word behind an option that it does not know for its
// value: the first test file was left out, and the run was green.
func TestOldMochaKeepsItsFiles(t *testing.T) {
	t.Parallel()
	for version, known := range map[string]bool{"5.2.0": false, "^5.2.0": false, "6.0.0": true, "11.7.1": true, "": true} {
		d := adapter.Detection{Version: version, Tools: adapter.Tools{Program: []string{"node", "mocha"}, Args: []string{"test.js", "test.node.js"}}}
		inv, err := Mocha.Invocation(d, adapter.Request{OutDir: "/out"})
		assert.NilError(t, err)
		assert.Equal(t, slices.Contains(inv.Argv, "--no-bail"), known, version)
		assert.DeepEqual(t, inv.Argv[len(inv.Argv)-2:], d.Args)
	}
}
