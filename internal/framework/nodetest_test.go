package framework

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestNodeTestScripts(t *testing.T) {
	t.Parallel()
	reporters := strings.Join(nodeReporters, " ")
	for script, c := range map[string]struct{ env, command string }{
		"node --test":                            {"", "node " + reporters + " --test"},
		"TZ=UTC node --import tsx --test 'a b/'": {"TZ=UTC", "node " + reporters + " --import tsx --test a b/"},
		"node --test tests/*.js":                 {}, // a shell expands it
		"node --test $FILES":                     {},
		"node --test && eslint .":                {},
		"node --test > out.tap":                  {},
		"node --test --test-reporter=dot":        {},
		"node --test --watch":                    {},
		"node tests/all.js":                      {},
		"c8 node --test":                         {},
		"mocha":                                  {},
		"":                                       {},
		"TZ=UTC":                                 {},
	} {
		d, ok := nodeTests(script)
		assert.Equal(t, ok, c.command != "", script)
		assert.Equal(t, strings.Join(d.Program, " "), c.command, script)
		assert.Equal(t, strings.Join(d.Env, " "), c.env, script)
	}
	for script, hints := range map[string]bool{"node --test tests/*.js": true, "c8 node --test": true, "mocha --test": false, "node a.js": false} {
		assert.Equal(t, nodeTestHint(script) != "", hints, script)
	}
}
