package framework

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// nyc hooks into require: of ECMAScript modules it says 0 %, which is not known.
func TestNycAndModules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ kind, more, tool string }{
		"modules":                {`"type":"module",`, "", ""},
		"modules, and c8":        {`"type":"module",`, `,"c8":"^10"`, "c8"},
		"modules, with a loader": {`"type":"module",`, `,"@istanbuljs/esm-loader-hook":"^0.3"`, "nyc"},
		"of the old kind":        {"", `,"c8":"^10"`, "nyc"},
	} {
		files := map[string]string{
			"package.json":                  `{` + c.kind + `"scripts":{"test":"nyc ava"},"devDependencies":{"ava":"^5","nyc":"^15"` + c.more + `}}`,
			"node_modules/nyc/package.json": `{"version":"15.1.0","bin":{"nyc":"bin/nyc.js"}}`, "node_modules/nyc/bin/nyc.js": "",
			"node_modules/ava/package.json": `{"version":"5.0.0","bin":{"ava":"cli.js"}}`, "node_modules/ava/cli.js": "",
		}
		if strings.Contains(c.more, "c8") {
			files["node_modules/c8/package.json"], files["node_modules/c8/bin/c8.js"] = `{"version":"10.0.0","bin":{"c8":"bin/c8.js"}}`, ""
		}
		found, err := Detect(fixture.Files(t, files), "")
		assert.NilError(t, err)
		assert.Equal(t, len(found), 1)
		assert.Equal(t, found[0].CoverageTool, c.tool, name)
		assert.Equal(t, found[0].Coverage, c.tool != "", name)
		assert.Equal(t, strings.Contains(found[0].CoverageHint, "nyc does not see ECMAScript modules; run: npm install --save-dev c8"), c.tool == "", "%s: %s", name, found[0].CoverageHint)
	}
}

// TestNycReadsNothingBesideAHook: nyc joins what it reads of files that no test loads with
// what a hook compiled of the others, and loses some of these.
func TestNycReadsNothingBesideAHook(t *testing.T) {
	t.Parallel()
	for dependency, all := range map[string]bool{"lodash": true, "@babel/register": false, "ts-node": false} {
		found, err := Detect(fixture.Files(t, map[string]string{
			"package.json":                  `{"scripts":{"test":"nyc mocha"},"devDependencies":{"mocha":"^10","nyc":"^15","` + dependency + `":"^1"}}`,
			"node_modules/nyc/package.json": `{"version":"15.1.0","bin":{"nyc":"bin/nyc.js"}}`, "node_modules/nyc/bin/nyc.js": "",
			"node_modules/mocha/package.json": `{"version":"10.0.0","bin":{"mocha":"cli.js"}}`, "node_modules/mocha/cli.js": "",
		}), "")
		assert.NilError(t, err)
		assert.Equal(t, len(found), 1)
		assert.Equal(t, found[0].CoverageTool, "nyc")
		assert.Equal(t, len(found[0].Sources) > 0, all, dependency)
	}
}
