package framework

import (
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
)

// What a test command starts decides the verdict, also where its name has in it what
// parts the commands of a shell.
func TestStartedBy(t *testing.T) {
	t.Parallel()
	for line, file := range map[string]string{
		"sh ci/run.sh && npm test":     "ci/run.sh",
		"(node run.js; true)":          "run.js",
		`node "scripts/run (all).js"`:  "scripts/run (all).js",
		"true # then ci/later.sh":      "ci/later.sh",
		`node "open ; sh ci/broken.sh`: "",
	} {
		d := adapter.Detection{Framework: Command.Name}
		d.Line = line
		if file != "" && !StartedBy(d, file) || StartedBy(d, "other.js") {
			t.Errorf("%s: %s", line, file)
		}
	}
}
