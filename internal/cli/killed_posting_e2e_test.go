package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/testsupport/contract"
)

// sessionNames are names of sessions in text.
var sessionNames = regexp.MustCompile(`qa-[a-z]+-\d{8}-[0-9a-f]{7}(-\d+)?`)

// posted is a victim in a workflow of a pull request.
type posted struct {
	victim
	step *step
	goal func(victim) map[string]any
}

// post lays a job around a victim: what the runner gives it, and a GitHub of its
// own.
func post(t *testing.T, v victim, inputs map[string]string) posted {
	t.Helper()
	s := emptyStep(t)
	s.workspace = v.dir
	s.head, s.base = v.commit("feature"), v.commit("main")
	s.server.Head, s.server.Base = s.head, s.base
	files := map[string]string{}
	for _, name := range []string{"grade/grade.go", "grade/grade_test.go", "lib.go"} {
		if raw, err := os.ReadFile(filepath.Join(v.dir, filepath.FromSlash(name))); err == nil {
			files[name] = string(raw)
		}
	}
	s.server.Git.Put("feature", s.head, files)
	for name, value := range inputs {
		s.env[name] = value
	}
	s.env["GITHUB_SHA"], s.env["GITHUB_REF"], s.env["GITHUB_WORKSPACE"] = s.head, "refs/heads/feature", v.dir
	s.env["INPUT_RUNTIME"], s.env["INPUT_DEPTH"], s.env["INPUT_CONTINUE"] = "host", "targeted", "true"
	s.event("pull_request", s.pull)
	p := posted{victim: v, step: s}
	for name, value := range s.env {
		if !strings.HasPrefix(name, "HOME") && name != "RUNNER_TEMP" {
			p.more = append(p.more, name+"="+value)
		}
	}
	return p
}

func (v victim) commit(name string) string {
	v.t.Helper()
	raw, err := os.ReadFile(filepath.Join(v.dir, ".git", "refs", "heads", name))
	mustDo(v.t, err)
	return strings.TrimSpace(string(raw))
}

func (p posted) requests() int {
	p.step.server.Lock()
	defer p.step.server.Unlock()
	return len(p.step.server.Requests)
}

// again is the job run again, with files of its own for what it says.
func (p posted) again(code int) {
	p.t.Helper()
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		mustDo(p.t, os.WriteFile(p.step.env[name], nil, 0o600))
	}
	if res := p.qa("run"); res.ExitCode != code {
		p.t.Fatalf("exit code %d\n%s%s", res.ExitCode, res.Stdout, res.Stderr)
	}
}

// left is what people see on GitHub and on the runner, and what is in the
// session.
func (p posted) left() map[string]any {
	p.t.Helper()
	out := p.goal(p.victim)
	s := p.step.server
	s.Lock()
	defer s.Unlock()
	for i, c := range s.Comments {
		out[fmt.Sprintf("comment %d", i)] = tidy(c.Body)
	}
	for _, c := range s.Checks { // of several with one name people see the newest
		out["check "+c.Name] = []string{c.SHA, c.Status, c.Conclusion, c.Title, tidy(c.Summary), tidy(c.Text), fmt.Sprint(len(c.Annotations), " annotations")}
	}
	out["delivered"] = delivered(s)
	raw, err := os.ReadFile(p.step.env["GITHUB_STEP_SUMMARY"])
	mustDo(p.t, err)
	out["summary"] = tidy(string(raw))
	return out
}

// delivered is the messages of the commits that the branch has above the head.
func delivered(s *contract.Server) []string {
	var out []string
	for at := s.Git.Refs["refs/heads/feature"]; ; {
		c, known := s.Git.Commits[at]
		if !known || len(c.Parents) == 0 || len(out) > 10 {
			return out
		}
		out, at = append(out, c.Message), c.Parents[0]
	}
}

func calmPosting(t *testing.T) *patient {
	inputs := map[string]string{"INPUT_TEST-COMMAND": victimTests, "INPUT_TEST-REPORT": "out/t.xml", "INPUT_COVERAGE-FILE": "out/c.info"}
	return observe(t, &patient{args: []string{"run"}, begin: func(t *testing.T, v victim) bedside {
		p := post(t, v, inputs)
		p.goal = victim.outcome
		return bedside{victim: p.victim, again: func() { p.again(exitFail) }, left: p.left, requests: p.requests}
	}}, newVictim(t))
}

// calmHanding has a model's tests committed to the branch.
func calmHanding(t *testing.T) *patient {
	g := newGrader(t)
	inputs := map[string]string{"INPUT_MODE": "testing", "INPUT_DELIVER": "commit", "INPUT_REPEAT": "2", "INPUT_MODEL": "recorded", "INPUT_MODEL-BASE-URL": g.url}
	return observe(t, &patient{args: []string{"run"}, begin: func(t *testing.T, v victim) bedside {
		v.more = g.more
		p := post(t, v, inputs)
		p.goal = func(v victim) map[string]any { return grader{victim: v, till: g.till, url: g.url}.result() }
		return bedside{victim: p.victim, again: func() { p.again(exitOK) }, left: p.left, requests: p.requests}
	}}, g.victim)
}
