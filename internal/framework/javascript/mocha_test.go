package javascript

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
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

// TestMeasureEndsWithAValue: nyc takes the word after an option without a value for it,
// and then what node is given for its own.
func TestMeasureEndsWithAValue(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"nyc", "c8"} {
		d := adapter.Detection{}
		d.Coverage, d.CoverageTool, d.CoverageProgram, d.Sources = true, tool, []string{"node", tool + ".js"}, []string{"."}
		var inv qa.Invocation
		argv := mochaMeasure(d, adapter.Request{Coverage: true, OutDir: "/out"}, &inv)
		assert.Assert(t, slices.Contains(argv, "--all=true"), "%q", argv)
		assert.Assert(t, !slices.ContainsFunc(argv[2:], func(a string) bool { return !strings.Contains(a, "=") }), "%q", argv)
	}
}
