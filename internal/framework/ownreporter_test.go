package framework

import (
	"testing"

	"gotest.tools/v3/assert"
)

// A suite runs once more only for a reporter that the project wrote.
func TestOwnReporters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"reporter": "./tools/slow.cjs"}`:                                              true,
		`{"reporter": "spec", "spec": "./test"}`:                                        false,
		`reporters: ['default', new Slow()]`:                                            true,
		`reporters: ['default', './slow.ts'],`:                                          true,
		`reporters: ['default', ['./slow.ts', { all: true }]],`:                         true,
		`reporters: [slow],`:                                                            true,
		`reporters: process.env.CI ? ['default', 'github-actions'] : 'default',`:        false,
		`reporters: ['verbose', ['junit', { outputFile: './out/junit.xml' }]],`:         false,
		`coverage: { reporter: ['text', 'lcov'], include: ['src'] }, dir: './src'`:      false,
		`reporters: isCI ? ['dot'] : ['default'],`:                                      false,
		`reporters: ['default', ...(process.env.CI ? ['junit'] : [])], setup: './x.js'`: false,
	} {
		assert.Equal(t, ownReporterIn(text, ".ts"), want, text)
	}
	assert.Assert(t, !ownReporterIn("reporter: spec\nrequire: ./a", ".yml"))
	assert.Assert(t, ownReporterIn("reporter: ./a.js\n", ".yml"))
}
