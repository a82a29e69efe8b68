package targets

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestByWorkflow: where nothing else tells of tests, base's own workflow does, of what
// an adapter knows; what it cannot read stays a question.
func TestByWorkflow(t *testing.T) {
	t.Parallel()
	root := fixture.Files(t, map[string]string{
		"shop/__init__.py": "", "shop/tests/__init__.py": "import unittest\n\n\ndef main():\n    unittest.TextTestRunner().run(unittest.TestSuite())\n",
		"shop/tests/_runner.py": "import shop.tests\n\nshop.tests.main()\n",
	})
	for line, want := range map[string]string{
		"python -m shop.tests._runner .":                   "unittest: python3 -m shop.tests._runner .",
		"python -m shop.tests.other":                       "",
		"own-runner --all":                                 "",
		"python -m shop.tests._runner .\nown-runner --all": "", // a part is not the whole
		"": "",
	} {
		c := &config.Config{Subject: config.Subject{WorkingDirectory: "."}, Suite: config.Suite{Framework: "auto"}}
		if line != "" {
			for part := range strings.SplitSeq(line, "\n") {
				c.Workflow = append(c.Workflow, config.WorkflowTest{Line: part, Source: "tests.yml:7"})
			}
		}
		found, err := Find(project.Machine{LookPath: func(p string) (string, error) { return "/usr/bin/" + p, nil }}, root, c)
		assert.NilError(t, err)
		got := ""
		for _, target := range found.Targets {
			d := target.Framework
			got += d.Framework + ": " + strings.Join(append(d.Program, d.Args...), " ")
			assert.Assert(t, strings.Contains(strings.Join(d.Evidence, "\n"), "tests.yml:7"), "%v", d.Evidence)
		}
		assert.Equal(t, got, want, line)
		assert.Equal(t, len(found.Rows) == 0, want != "", line)
	}
}
