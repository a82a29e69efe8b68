package mode

import (
	"fmt"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// The packages with tests below the directory of a run are prepared as it is, where the
// configuration names none.
func TestPackagesThatNobodyNames(t *testing.T) {
	t.Parallel()
	root := fixture.Files(t, map[string]string{
		"web/package.json": `{"scripts":{"test":"node --test"}}`, "web/a.test.js": "",
		"api/requirements.txt": "pytest\n", "api/test_a.py": "",
	})
	for file, want := range map[string]string{
		"": "[{api auto true []} {web auto true []}]", "install: never": "[{api never true []} {web never true []}]",
		"test-command: ./check": "[]", "targets: [{dir: web}]": "[]", "working-directory: web": "[]",
	} {
		c, err := config.Load(config.Sources{File: []byte(file), FileName: ".github/qa.yml"})
		assert.NilError(t, err)
		d := Deps{Checkout: checkout.Checkout{Root: root}, Config: c}
		assert.Equal(t, fmt.Sprint(d.beside()), want, file)
	}
}
