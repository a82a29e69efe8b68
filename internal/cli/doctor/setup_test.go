package doctor_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/cli/doctor"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/inspect"
	"github.com/org/qa-action/internal/role/executor"
)

// TestWhatIsMissingIsToldAsARunTellsIt: cause and cure are those of the reason that a
// run begins with, each said once, and what a manifest lists is not advised.
func TestWhatIsMissingIsToldAsARunTellsIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files       map[string]string
		detail, fix string
	}{
		"listed, locked": {
			map[string]string{"package.json": `{"scripts":{"test":"mocha"},"devDependencies":{"mocha":"11","c8":"10"}}`, "pnpm-lock.yaml": ""},
			"dependencies are not installed", "run: pnpm install --frozen-lockfile (with pnpm, which is not on PATH here)",
		},
		"listed": {
			map[string]string{"package.json": `{"scripts":{"test":"jest"},"devDependencies":{"jest":"30"}}`},
			"dependencies are not installed and there is no lockfile", "run: npm install (with npm, which is not on PATH here)",
		},
		"not listed": {
			map[string]string{"package.json": `{"scripts":{"test":"jest"},"devDependencies":{"chalk":"5"}}`},
			"jest is not installed, and package.json does not list it", "run: npm install --save-dev jest (with npm, which is not on PATH here)",
		},
		"requirements": {
			map[string]string{"test_x.py": "def test_x():\n    assert 1\n", "requirements-test.txt": "pytest\npytest-cov\n"},
			"pytest is not installed", "run: python3 -m venv .venv && .venv/bin/pip install -r requirements-test.txt (with python3, which is not on PATH here)",
		},
		"go": {map[string]string{"go.mod": "module x\n\ngo 1.26\n", "x_test.go": "package x\n"}, "go is not on PATH", "install Go 1.26 or later"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range c.files {
				assert.NilError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			nothing := project.Machine{LookPath: func(string) (string, error) { return "", errors.New("not found") }}
			found, err := framework.Find(nothing, dir, ".", "")
			assert.NilError(t, err)
			assert.Equal(t, len(found.Detections), 1)
			f := found.Detections[0]
			var d doctor.Doctor
			d.Setup(inspect.Setup{Targets: []executor.Target{{Name: "all", Framework: f}}}, nil)
			var out strings.Builder
			_, _, err = d.Report(&out, true)
			assert.NilError(t, err)
			var got doctor.Findings
			assert.NilError(t, json.Unmarshal([]byte(out.String()), &got))
			assert.Equal(t, got.Checks[0].Name, "tests of all")
			assert.Assert(t, strings.HasSuffix(got.Checks[0].Detail, ": "+c.detail), got.Checks[0].Detail)
			assert.Equal(t, got.Checks[0].Fix, c.fix)
			assert.Equal(t, f.Hint.String(), c.detail+"; "+c.fix) // what a run says
			for _, row := range got.Checks[1:] {
				if strings.HasPrefix(row.Name, "coverage of") {
					assert.Assert(t, row.Fix == "" || row.Fix != c.fix && !strings.Contains(row.Fix, "run: "), "%s says it again: %s", row.Name, row.Fix)
				}
			}
		})
	}
}

// TestTheNodeThatARunFetches: advice is for what a run does not see to itself.
func TestTheNodeThatARunFetches(t *testing.T) {
	t.Parallel()
	old := inspect.Toolchain{Name: "node", Spec: ">=22", Source: "package.json engines.node", Has: "20.20.2", Fault: "too old"}
	for name, c := range map[string]struct {
		setup inspect.Setup
		want  string
	}{
		"a run installs": {inspect.Setup{Driver: "host", Tools: []inspect.Toolchain{old}, Installs: []string{"npm ci"}}, "and a run that installs fetches it"},
		"installed":      {inspect.Setup{Driver: "host", Tools: []inspect.Toolchain{old}}, "put that version on PATH"},
	} {
		var d doctor.Doctor
		d.Setup(c.setup, nil)
		var out strings.Builder
		if _, _, err := d.Report(&out, false); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
	}
}
