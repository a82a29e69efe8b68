package toolchain

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxWorkflows bounds how many workflow files are read.
const maxWorkflows = 40

// A workflowFile is what is read of a workflow: the commands of its steps. Nothing
// of it is run.
type workflowFile struct {
	Jobs map[string]struct {
		Steps []struct {
			Run yaml.Node `yaml:"run"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

var (
	runsTests  = regexp.MustCompile(`\b(?:pytest|py\.test|tox|nox|unittest|nosetests)\b`)
	pipInstall = regexp.MustCompile(`^(?:python3?\s+-m\s+|uv\s+)?pip3?\s+install\s+(.*)$`)
)

// workflows reads what the jobs that run tests install. It is the last place to be
// asked: a workflow often installs what tests do not need.
func (r *pythonReader) workflows() {
	entries, _ := fs.ReadDir(r.t.fsys, workflowFiles)
	for _, e := range entries[:min(len(entries), maxWorkflows)] {
		ext := path.Ext(e.Name())
		if e.IsDir() || ext != ".yml" && ext != ".yaml" {
			continue
		}
		data, ok := r.t.read(workflowFiles, e.Name())
		var w workflowFile
		if !ok || yaml.Unmarshal([]byte(data), &w) != nil {
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(w.Jobs)) {
			job := w.Jobs[id]
			tests := false
			for _, step := range job.Steps {
				tests = tests || runsTests.MatchString(step.Run.Value)
			}
			for _, step := range job.Steps {
				if tests {
					r.runStep(path.Join(workflowFiles, e.Name()), step.Run)
				}
			}
		}
	}
}

func (r *pythonReader) runStep(file string, run yaml.Node) {
	first := run.Line
	if run.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		first++ // the mark of a block stands on a line of its own
	}
	text := strings.ReplaceAll(run.Value, "\\\n", " ")
	for i, line := range strings.Split(text, "\n") {
		m := pipInstall.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || strings.ContainsAny(m[1], "$`|&;<>()") && !strings.ContainsAny(m[1], `"'`) {
			continue
		}
		var args []string
		for _, arg := range strings.Fields(m[1]) {
			args = append(args, strings.Trim(arg, `"'`))
		}
		r.arguments(fmt.Sprintf("%s:%d", file, first+i), args)
	}
}

// workflowFiles are where a repository says how its own tests are run.
const workflowFiles = ".github/workflows"
