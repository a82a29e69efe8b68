package ci

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"gopkg.in/yaml.v3"
)

// A jobReader reads one job of a workflow.
type jobReader struct {
	file, name string
	has        Has
	top, node  *yaml.Node
	row        map[string]string // of the matrix
	job        Job
	later      []Variable // what steps set for those after them
}

func (r *jobReader) source(line int) string { return fmt.Sprintf("%s:%d", r.name, line) }

func (r *jobReader) read(id string, line int) Job {
	r.job = Job{File: r.file, Name: id, Line: line, linux: true}
	if r.row == nil {
		r.row = nearest(r.node, r.has)
	}
	if on := items(field(r.node, "runs-on")); len(on) > 0 {
		where := strings.ToLower(r.fill(text(on[0])))
		r.job.linux = !strings.Contains(where, "windows") && !strings.Contains(where, "macos")
	}
	r.job.container, r.job.deploys = field(r.node, "container") != nil, field(r.node, "environment") != nil
	r.job.Env = append(r.variables(field(r.top, "env"), nil), r.variables(field(r.node, "env"), nil)...)
	pairs(field(r.node, "services"), func(name string, k, v *yaml.Node) {
		s := Service{Name: name, Image: r.fill(text(field(v, "image"))), Source: r.source(k.Line), Env: r.variables(field(v, "env"), r.job.Env)}
		for _, p := range items(field(v, "ports")) {
			s.Ports = append(s.Ports, r.fill(text(p)))
		}
		r.job.Services = append(r.job.Services, s)
	})
	steps := items(field(r.node, "steps"))
	for _, step := range steps[:min(len(steps), maxSteps)] {
		r.step(at(step))
	}
	return r.job
}

// variables are those of a mapping. What only the workflow's own run knows, as
// secrets are, has the value unknown.
func (r *jobReader) variables(n *yaml.Node, known []Variable) []Variable {
	var out []Variable
	pairs(n, func(name string, k, v *yaml.Node) {
		if v != nil && v.Kind == yaml.ScalarNode {
			value := r.fillWith(v.Value, slices.Concat(known, out))
			if strings.Contains(value, unknown) {
				value = unknown
			}
			out = append(out, Variable{name, value, r.source(k.Line)})
		}
	})
	return out
}

// unknown stands for what an expression of a workflow becomes.
const unknown = "\x01"

var (
	expression = pattern.New(`\$\{\{\s*([^{}]*?)\s*\}\}`)
	matrixName = pattern.New(`^matrix\.([\w.-]+)$`)
	envName    = pattern.New(`^env\.(\w+)$`)
)

func (r *jobReader) fill(value string) string { return r.fillWith(value, r.job.Env) }

// fillWith replaces what a row of the matrix and known variables decide.
func (r *jobReader) fillWith(value string, env []Variable) string {
	if len(value) > maxScript {
		return unknown
	}
	return expression.ReplaceAllStringFunc(value, func(m string) string {
		inner := expression.FindStringSubmatch(m)[1]
		if m := matrixName.FindStringSubmatch(inner); m != nil {
			if v, ok := r.row[m[1]]; ok {
				return strings.Join(strings.Fields(v), " ")
			}
			return unknown
		}
		if m := envName.FindStringSubmatch(inner); m != nil {
			for i := len(env) - 1; i >= 0; i-- {
				if env[i].Name == m[1] {
					return env[i].Value
				}
			}
		}
		return unknown
	})
}

// setups are the actions of which it is known what they mean.
var setups = map[string]string{"setup-node": "node", "setup-python": "python", "setup-go": "go", "setup-java": "java", "setup-uv": "python", "setup-bun": "bun", "setup-deno": "deno"}

func (r *jobReader) step(n *yaml.Node) {
	run := field(n, "run")
	if run == nil || run.Kind != yaml.ScalarNode || field(n, "uses") != nil {
		return
	}
	shell := text(field(n, "shell"))
	if shell == "" {
		shell = text(field(r.node, "defaults", "run", "shell"))
	}
	if name, _, _ := strings.Cut(shell, " "); name != "" && name != "bash" && name != "sh" {
		return
	}
	env := slices.Concat(r.later, r.variables(field(n, "env"), r.job.Env))
	s := stepReader{jobReader: r, env: env, dir: r.directory(n), certain: r.always(text(field(n, "if"))) && r.always(text(field(r.node, "if"))), line: run.Line}
	if run.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		s.line++ // the mark of a block stands on a line of its own
	}
	s.folded = run.Style&yaml.FoldedStyle != 0
	s.read(r.fillWith(run.Value, slices.Concat(r.job.Env, env)))
}

// directory is where a step runs.
func (r *jobReader) directory(n *yaml.Node) string {
	for _, at := range []*yaml.Node{field(n, "working-directory"), field(r.node, "defaults", "run", "working-directory"), field(r.top, "defaults", "run", "working-directory")} {
		if dir := r.fill(text(at)); dir != "" {
			return path.Clean("./" + dir)
		}
	}
	return "."
}

// always reports whether a condition holds in every run that tests a change here, in the
// row of the matrix that counts.
func (r *jobReader) always(condition string) bool {
	condition = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(condition), "${{"), "}}"))
	switch strings.ReplaceAll(condition, " ", "") {
	case "", "always()", "success()", "!cancelled()", "true", "success()||failure()", "github.event_name=='pull_request'":
		return true
	}
	m := comparison.FindStringSubmatch(condition)
	if m == nil {
		return false
	}
	value, known := "Linux", r.job.linux
	if name := matrixName.FindStringSubmatch(m[1]); name != nil {
		value, known = r.row[name[1]], r.row[name[1]] != "" && !strings.Contains(r.row[name[1]], unknown)
	}
	return known && strings.EqualFold(value, m[3]) == (m[2] == "==")
}

// comparison is a condition that a value of the matrix, or the system, decides alone.
var comparison = pattern.New(`^(matrix\.[\w.-]+|runner\.os)\s*(==|!=)\s*'([^']*)'$`)
