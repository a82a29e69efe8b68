package framework

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// Tests run with another PATH than this program's: what is installed is judged
// by the Python of that PATH.
func TestDetectOnAnotherMachine(t *testing.T) {
	t.Parallel()
	repo := fixture.Files(t, map[string]string{
		"pytest.ini": "[pytest]\n", "test_a.py": "", ".venv/pyvenv.cfg": "", ".venv/bin/python": "",
	})
	made := fixture.Files(t, map[string]string{
		"bin/python3": "", "lib/python3.12/site-packages/pytest-8.4.1.dist-info/METADATA": "",
		"lib/python3.12/site-packages/pytest_cov-6.0.0.dist-info/METADATA": "",
	})
	find := func(program string) (string, error) {
		path := filepath.Join(made, "bin", program)
		if _, err := os.Stat(path); err != nil {
			return "", process.ErrNotFound
		}
		return path, nil
	}
	for name, c := range map[string]struct {
		machine       project.Machine
		program       string
		version, tool string
	}{
		"the repository's own environment first": {project.Machine{LookPath: find}, ".venv/bin/python", "", ""},
		"unless one was made":                    {project.Machine{LookPath: find, Activated: true}, "python3", "8.4.1", "pytest-cov"},
		"asked for where files cannot be read": {project.Machine{LookPath: find, Activated: true, Packages: func(path string) map[string]string {
			return map[string]string{"pytest": "9.1.0", "Pytest.Cov": "7.0"}
		}}, "python3", "9.1.0", "pytest-cov"},
		"no answer is not installed": {project.Machine{LookPath: find, Activated: true, Packages: func(string) map[string]string { return nil }}, "python3", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Find(c.machine, repo, "", "")
			if err != nil || len(found.Detections) != 1 {
				t.Fatalf("found %+v, %v", found, err)
			}
			d := found.Detections[0]
			if diff := cmp.Diff([]string{c.program, "-m", "pytest"}, d.Program); diff != "" {
				t.Errorf("program (-want +got):\n%s", diff)
			}
			if d.Version != c.version || d.Installed != (c.version != "") || d.CoverageTool != c.tool {
				t.Errorf("version %q, installed %v, coverage by %q", d.Version, d.Installed, d.CoverageTool)
			}
		})
	}
}
