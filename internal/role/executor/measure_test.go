package executor

import (
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

type measuredTree struct {
	Tree
	dir string
}

func (t measuredTree) Dir() string { return t.dir }

// TestNoProductIsAskedFor: where we name the files that count, those that show the
// project, or how fast it is, count only where tests ran them. What the project names
// itself counts as it says, and so does what no test loads of the rest.
func TestNoProductIsAskedFor(t *testing.T) {
	t.Parallel()
	files := map[string]string{"lcov.info": ""}
	for file, hits := range map[string]string{"lib/a.js": "1", "lib/never.js": "0", "flow-typed/npm/jest.js": "0", "benchmarks/own.js": "0", "bench/all.js": "0", "examples/tested.js": "1", "lib/bench/x.js": "0"} {
		files[file] = "x()\n"
		files["lcov.info"] += "SF:" + file + "\nDA:1," + hits + "\nend_of_record\n"
	}
	dir := fixture.Files(t, files)
	report := filepath.Join(dir, "lcov.info")
	for name, c := range map[string]struct {
		framework string
		dir       string
		sources   []string
		want      int
	}{
		"named by us":          {"jest", ".", []string{"**/*.js"}, 4},
		"coverage.py":          {"pytest", ".", []string{"."}, 4},
		"named by the project": {"jest", ".", nil, 7},
		"by Go's words":        {"gotest", ".", []string{"./..."}, 7},
		"an example's suite":   {"jest", "bench", []string{"**/*.js"}, 5},
	} {
		run := Run{Suite: qa.Suite{Cases: []qa.Case{{Name: "a", Status: qa.Passed}}}}
		target := Target{Dir: c.dir, Framework: adapter.Detection{Framework: c.framework, Dir: c.dir, Tools: adapter.Tools{Sources: c.sources}}}
		measure(&run, measuredTree{dir: dir}, target, qa.Invocation{Coverage: []qa.ReportFile{{Path: report}}}, []string{report})
		assert.Assert(t, run.Coverage != nil, "%s: %s", name, run.CoverageReason)
		assert.Equal(t, run.Coverage.Lines.Total, c.want, name)
	}
}
