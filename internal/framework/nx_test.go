package framework

import (
	"testing"

	"gotest.tools/v3/assert"
)

// A target that nx knows from a package.json alone is run by nx, as those of a
// project.json are: no script of the package tells of it.
func TestTargetsOfNxInAPackage(t *testing.T) {
	t.Parallel()
	for own, want := range map[string]string{
		`{"targets":{"test":{"command":"jest"}}}`:                      Command.Name,
		`{"targets":{"test":{"executor":"@nx/jest:jest"}}}`:            Command.Name,
		`{"targets":{"test":{"dependsOn":["^build"]}}}`:                "",
		`{"targets":{"test":{"executor":"nx:run-script"}}}`:            "",
		`{"targets":{"build":{"command":"tsc"}},"includedScripts":[]}`: "",
	} {
		found := look(t, map[string]string{"package.json": `{"workspaces":["packages/*"],"scripts":{"test":"nx run-many -t test"}}`,
			"packages/a/package.json": `{"scripts":{"test":"node --test"}}`, "packages/b/package.json": `{"name":"b","nx":` + own + `}`}, "")
		got := ""
		for _, d := range found.Detections {
			if d.Dir == "" {
				got = d.Framework
			}
		}
		assert.Equal(t, got, want, own)
	}
}
